/** A code point, then the names of it and of those that follow it; `=` between names of one. */
const NAMES =
  "33 excl QUOT=quot num dollar percnt AMP=amp apos lpar rpar ast plus comma 46 period sol 58 " +
  "colon semi LT=lt equals GT=gt quest commat 91 lbrack=lsqb bsol rbrack=rsqb Hat lowbar " +
  "grave 123 lbrace=lcub verbar=vert rbrace=rcub 160 NonBreakingSpace=nbsp iexcl cent pound " +
  "curren yen brvbar sect uml COPY=copy ordf laquo not shy REG=reg macr deg plusmn=pm sup2 " +
  "sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12=half frac34 iquest Agrave " +
  "Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc " +
  "Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml " +
  "Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc " +
  "euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml div=divide oslash " +
  "ugrave uacute ucirc uuml yacute thorn yuml Amacr amacr Abreve abreve Aogon aogon Cacute " +
  "cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dcaron dcaron Dstrok dstrok Emacr emacr 278 " +
  "Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil 292 Hcirc " +
  "hcirc Hstrok hstrok Itilde itilde Imacr imacr 302 Iogon iogon Idot imath IJlig ijlig Jcirc " +
  "jcirc Kcedil kcedil kgreen Lacute lacute Lcedil lcedil Lcaron lcaron Lmidot lmidot Lstrok " +
  "lstrok Nacute nacute Ncedil ncedil Ncaron ncaron napos ENG eng Omacr omacr 336 Odblac " +
  "odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc " +
  "Scedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr " +
  "umacr Ubreve ubreve Uring uring Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml " +
  "Zacute zacute Zdot zdot Zcaron zcaron 402 fnof 567 jmath 710 circ caron 728 breve dot ring " +
  "ogon tilde dblac 913 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu " +
  "Xi Omicron Pi Rho 931 Sigma Tau Upsilon Phi Chi Psi Omega=ohm 945 alpha beta gamma delta " +
  "epsi=epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf=sigmav sigma " +
  "tau upsilon phi chi psi omega 977 thetasym=thetav=vartheta upsih 981 " +
  "phiv=straightphi=varphi piv 989 gammad 1008 kappav rhov 1013 epsiv=varepsilon 1025 IOcy " +
  "DJcy GJcy Jukcy DScy Iukcy YIcy Jsercy LJcy NJcy TSHcy KJcy 1038 Ubrcy DZcy Acy Bcy Vcy " +
  "Gcy Dcy IEcy ZHcy Zcy Icy Jcy Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy CHcy " +
  "SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy acy bcy vcy gcy dcy iecy zhcy zcy icy jcy kcy " +
  "lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy hardcy ycy softcy ecy " +
  "yucy yacy 1105 iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy tshcy kjcy 1118 ubrcy " +
  "dzcy 8194 ensp emsp emsp13 emsp14 8199 numsp puncsp thinsp hairsp ZeroWidthSpace zwnj zwj " +
  "lrm rlm dash=hyphen 8211 ndash mdash horbar 8216 lsquo rsquo sbquo 8220 ldquo rdquo bdquo " +
  "8224 dagger Dagger bull=bullet 8229 nldr hellip=mldr 8240 permil 8242 prime Prime 8249 " +
  "lsaquo rsaquo 8254 oline 8257 caret 8260 frasl 8364 euro 8450 Copf 8459 HilbertSpace 8463 " +
  "hbar=planck 8465 image 8467 ell 8469 Nopf numero copysr weierp=wp 8474 Qopf 8476 real Ropf " +
  "8482 TRADE=trade 8484 Zopf 8501 alefsym 8518 DifferentialD ExponentialE ImaginaryI 8531 " +
  "frac13 frac23 frac15 frac25 frac35 frac45 frac16 frac56 frac18 frac38 frac58 frac78 8592 " +
  "larr=leftarrow uarr=uparrow rarr=rightarrow darr=downarrow harr=leftrightarrow 8598 nwarr " +
  "nearr searr swarr 8605 rarrw 8614 mapsto 8617 larrhk hookrightarrow 8624 lsh rsh 8629 " +
  "crarr 8656 Leftarrow=lArr Uparrow=uArr Rightarrow=rArr Downarrow=dArr hArr=iff 8704 forall " +
  "8706 part exist nexist empty=emptyset=varnothing 8711 nabla in=isin notin 8715 ni 8719 " +
  "prod 8721 sum minus mp 8727 lowast 8730 radic 8733 prop infin 8736 ang 8743 and or cap cup " +
  "int 8754 ClockwiseContourIntegral 8756 there4=therefore because 8764 sim 8773 cong 8776 " +
  "ap=approx=asymp 8800 ne equiv 8804 le=leq ge=geq 8834 sub=subset sup=supset nsub 8838 sube " +
  "supe 8853 oplus 8855 otimes 8866 vdash dashv top bot=perp 8871 models 8901 sdot 8968 lceil " +
  "rceil lfloor rfloor 9472 boxh 9474 boxv 9484 boxdr 9488 boxdl 9492 boxur 9496 boxul 9500 " +
  "boxvr 9508 boxvl 9516 boxhd 9524 boxhu 9532 boxvh 9608 block 9617 blk14 blk12 blk34 9633 " +
  "squ=square 9642 blacksquare=squf 9652 utrif utri 9656 rtrif rtri 9662 dtrif dtri 9666 " +
  "ltrif ltri 9674 loz cir 9733 bigstar=starf star 9742 phone 9792 female 9794 male 9824 " +
  "spades 9827 clubs 9829 hearts diams 9834 sung 9837 flat natural sharp 10003 " +
  "check=checkmark 10007 cross 10016 malt 10216 lang=langle rang=rangle 10230 " +
  "longrightarrow=xrarr 10233 Longrightarrow=xrArr 64256 fflig filig fllig ffilig ffllig";

const ENTITY = /&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,30}));/g;

/** Puts characters for the entities of a text, once. */
export function withoutEntities(text: string): string {
  return text.replaceAll(ENTITY, (all, decimal, hex, name) => {
    const code = name === undefined ? parseInt(decimal ?? hex, hex ? 16 : 10) : entityCode(name);
    if (code === undefined) return all;
    return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}

/** The code point that an HTML entity names: HTML 4's, Latin and Cyrillic letters, and of HTML 5 the signs that people write. */
export function entityCode(name: string): number | undefined {
  const found = /^[a-z]/i.test(name) ? new RegExp(`[ =]${name}(?![^ =])`).exec(NAMES) : null;
  if (!found) return undefined;
  // the number before it, and how many stand between
  const words = NAMES.slice(0, found.index + 1).split(" ");
  const first = words.findLastIndex((word) => /^\d/.test(word));
  return Number(words[first]) + words.length - 2 - first;
}
