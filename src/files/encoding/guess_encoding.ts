import {
  type LegacyEncoding,
  legacyLength,
  type MultiByte,
  once,
  pairTable,
} from "./legacy_encoding.ts";
import {
  BESIDE_LETTER,
  CYRILLIC,
  cyrillicScore,
  isLetter,
  RARE,
  utf8Score,
  westernScore,
} from "./scores.ts";

// The characters that make up most of a text, most frequent first.

/** Simplified Chinese. */
const SIMPLIFIED =
  "的不在一用是有个中为无数了法时出和能文件到行这上以对要人大可我来他们于作定地使国名子过会说表分下" +
  "生后发就也而式没所之自已进你多得成如里本现那动新同前当或字方着目部将事经被提年选符入间然道小标只" +
  "加从据开并正者制列理种重命关指置主家项其类么务设面都此但信起合果去它引取效工日建更存学最应程内因" +
  "接录尔看交些好区与外长还变第位天意样斯格明器度性回象实系必语模值密全参认空知输点支解示除心机问想" +
  "记打未型则她任量特把向头令由包义公索条错达相期库力军拉两次利户十情化许克处钥民通组结统高误给代等" +
  "三西安物计比配二路查口体又显您手别见签话失业非很什告识少何马运规美常产共太息战称权基改员身政题先" +
  "该函立删原保展真码确省己创至操色德败及月号持平东声书求老复门水海请执活世完受须服报图科再管序需写" +
  "教儿才反总且换直论读带几版做各市边走像形清电强决导气放检四女神南即资证编感界望含白金山北限否超场" +
  "切略便允找队亚光传启默集径治却听社五司王眼匹转术思住难移死串候态束级张品消万始单领卡让段观获注返" +
  "属觉布师块今容修院键状争连止询算调排线志归准尼缺试警档忽元围仓节备冲每添印析退范阿端视约补巴州纳" +
  "跳远送句软群装访整锁辑源罗缓丁择扩具终载验突联坏瓦按旧份供维跟继描闭销页言译萨域临窗踪树塔替触恢" +
  "留兰隔异收伊搜哈聚角素仅述址缩初待助预框宽功链环普递塞响偏贝续吊损禁希差储控压断套岛隆登县尝奥策" +
  "测词够丢翻根距姆钮缀弃菜盖洛推台增释致享郡停尾划映兼托游府片历影绝阅暂盘藏埃雷附吗射协议吉槽帮秒" +
  "波圣散齐私莱例绑步快零升卢滤邮离承史奇覆照右诺勒莫客栏尚境较古夫戈苏米左拒另鲁贮细帕若插逻磁订校" +
  "乌假互括况仍考颜哪曼板依速恩首迪诸册流构赖博哥兹近拷封父短详足赋余威滚适简额坦景顺伦唯护稀疏林竖" +
  "蒂邦针典优周沃绘扎栈激精扫负似隐焦箭永某嵌韦截戳风沙背随局层族免梅卷脚案福纹汉泰延监网拥刷避填深" +
  "际尺瓜虑拣努落殊循帐架独授耶伯锡摩赫斜簇顶充寻派低丹河松皮土朗桑末叠早滑弗顿画追寸久溢森察杜占采" +
  "迟摘祖车干遇核歧卸浅匙穆茨佩六糊举士宗霍混双钩减阻账尽挂览满柄菲坎固剩姓造虚枚违敏绕班凯批遍废冒" +
  "掩率艾肯绍谢杰紧硬八热拆侧圭爱泽易估阶纯介予络钟乔堡俄济屏杠箱陷拟佛富渲染蒙瑞击牙胡雅弹答捷础越";

/** Traditional Chinese. */
const TRADITIONAL =
  "的不用在有一是個中為無了法時定出和這以要到人檔來行使上可我能他大們作國會數案地子於目對式指名說過" +
  "分生得後下件本你動就入取而提所選設新如之也已自沒者成語發多示位那項前方合或字開著將同列工年物重經" +
  "裡交現進然當標從道更小理種家引被正其變只部表果事間加此格效元都面區輸麼去但金建主第立未起內好學錄" +
  "樣存並還鑰解些除最與文回機看因天令應支長明資它度結意日顯稱頭關模記知組性想空把相錯手心外全期實則" +
  "她制向任次由斯命公路代點條非利兩力軍程執十信民值等原情別處傳至版請高體失問三比系西二給誤業爾特告" +
  "產簽化訊規及常又包敗見義何碼參完少很美通話基拉該符先安號您共克真索題否什戰許政身預修讀己必接馬太" +
  "類做水計平月保統確員併東直庫老徑端放世求門打受清管刪寫量海報色白識決反再教邊密單且認編德達聲略儿" +
  "證論電亞態展形即狀強才各總活啟像走口几圖權套置移氣務料神四女需科南帶感器界籤便市切型場找山望光改" +
  "含運息塊印據治住聽社隊王串容複導北書援視五術司警眼遠始張領檢讓換查難準象思萬候鍵群觀品章死憑忽按" +
  "封今師註院整增爭序每補線製算追限止連供範蹤譯尼排送屬快束暫試具窗卡服擇析尋異衝允離轉底停圍寬翻巴" +
  "缺備突裝伺鈕輯份差源功里署欄壞終樹述縮函留隔游片描阿銷級撤尾棄偏須古超驗僅助匯協址消配載測布納儲" +
  "蘭推損鎖續收羅尚頁域素景島維若遞嗎控繼嘗根顏集演搜雜瓦致疊跳較調歷初影湊閉濾史尺登垂舊覆叫碟擴透" +
  "壓附誌迴絕冊稀疏堆貯蓋依寸框拒哥隱右齊段薩待呼帳替私捲距繪假左簡詞捨仍箭例綴軟聯緒響塔礎充互映括" +
  "捷斷背網詢境某射憶秒注吉卻額細藏復威漢派言頂訂零詳跟持操介步聖磁節照陣波圈考盒護環短普落伊偵首塞" +
  "林洛遺況烏似隨傾焦米紋順適近另唯割摩盧瑞逾掛核周揀蘇摘覽策抓奧哪側諾末層父坦牙輔精斜卷際約填魯沙" +
  "曼戳深造延緩匙夠佈緣托滑臺擷郵戶階遮議早淺採奇旗既盤母餘混丹帕剪般鏈釋遇罩速監截永滿嵌瓜幾姓廢雙" +
  "貝剛升足係散閱埃夫士希哈鉤專殊純抑六英愛騰勒隆土賴虛副獨免倫慮伯胚莫率綁彈流避低畫架雅泰吻插陰省" +
  "硬固剩負伸構盡靜擬亦瀏郎律返拿丁班彩獲倒俄雷姆杜八句嚴禁偽稿冒康退橫易埠良批鬆荷茲菲紀遍微優享祇" +
  "歐福祖朗久邦貼螢幕紐觸減搭板糊智授遭蒙韓澳洲桑佳耳黎典富鏡伐赫脫鼠承垃圾善飾音溢掉迫柄診幣旨森擁";

/** The Chinese characters of Japanese. */
const KANJI =
  "定数行一用名出使合中時大表国不日列力対指前要長示間同関人実新会設子年変本入文二成生効後正見十内部" +
  "作場自語分上型値最明在外方三失動書無鍵発必字取者事政式開有化更社問除月連約可理選制能議期民全現終" +
  "引存目続回敗五当東性削検以相限証地党認代信下業報込市的通今共受号置算四得告再演手了先高集言金立決" +
  "意員九加情位体小法番和参機形付米配記別度保経義読学所権円照空署接含切警京初題統換主調結識戦複際多" +
  "始向氏来計強公利張予元解準田画区八応六確首求進点平送覧返起止界件重構領治状択次務総気視安済改七査" +
  "追囲個側容野話協持都特組北山果索知想致直常思態範割世家反論県各移格処条違待基非島院境女与派第午副" +
  "命支心原近単線活百産教拡標族増交水展府項面整規過述両資川注呼考物少価勝優委順判軍道係適海千備任復" +
  "売比案挙策電親縮暗頭完提団断補減環説答打品試感半象足属南疑昨投死圧西序官州由何影真身他消例転私朝" +
  "異男台残放末景革広量村供種運勢去句局収素歳住争域談許端防企秒低流口白工税藤独町職負校製料達沢差裁" +
  "急土建幅護球施営援費録味落役令術木辺被未操害聞評渡率究食装乗訪難否並古車監井夫研石段働継訳神様宅" +
  "導符密極宮既毎造質早楽翻幹然英念助育席着輸万店旧況伝験病農武声銀仕互欧映労技衛担超審額葉横守描印" +
  "賀商好停御写退深詳隔衆訴韓株色観望医岡承秘姿福閣課挿門若脳蔵美音撃佐拒港松細管核察融申夜票渉競財" +
  "帰辞左右依戻周修築納刻誤類却仮破遅矢扱響較短功延替背余像諸釈登宣編壊垂添抽略遷等固禁省損偽尾探詰" +
  "括昇積似押速路須閉弧析留歴棄隠討刷履推永精突候循稼離己曖昧桁飾絶抑従排王緒純衝専因伴繰群避邦混貫" +
  "越倍到曲及降般版廃脈冗逆隣透器矛盾弱測週埋庫途包均折浮寄伸良累縦座黙枠滅獲欠抜階殊厳併捗称岐乱障" +
  "揃凍層静満布妥偶縁距角頼奨充罫源普宛久則匿肢剰帯遣診願程節孤図即促屋捨輻輳脱占載危険巻悪具絡搬奇";

/** Korean syllables. */
const HANGUL =
  "이다을에니는지하의가수로를자시스사기한은서정리인고어습도일대과합아상부그제전해없장구나보파조만성" +
  "있경주세치음용공동함들실여라문명행화원안오적선모할중되신체비유계입국면방연무력변관트우학생설진분" +
  "결했출금복었영션민것확류회초읽않위처물쓰터께값으작름업형옵된드표블데바패버테료식소크개레령브프야" +
  "못록거열요목디환잘메번호현커내렉재추태키럼랜미칼단베마당반밋간러너덱때십항임코최필속건타포저퍼더" +
  "와본줄산새접참려능또색래절른삭매집클페발알병릴두법티카백준배젝검았르각권근템예잭런든끝쓸됨게같택" +
  "텍져플약종렬찾듈활쿼허롤운역턴닙규범외젯통축딩셸꾸슬돌뒤언및됩올될따별청쪽남룹증받널폴뷰향림헤까" +
  "석완글존칙맞격길암충잠링압째토램순꿀후롯케직양불말립졌묶볼뉴듭막콘창냅앞빠뜀노벗편숫루밀히셋님슈" +
  "독많달움깃컬컨효닌퀀점빈큰논핑붙등차날피셀특옛콜켓먼푸싱객네룰심살취린획련누략윈워침술픽씁꼴귀울" +
  "응강며낼엔채교섬떤릿견족짜손튜탭릭벤질깁롭났긴탈투춤닫릅델액책칠갯웃틀밍꿈왼징잡웨납감짐혹덮멈높" +
  "벨넣락온옮탐첫칭뀌므맵빼옴란렇론몇캐넘답럭컴탄덤놓줌량꿉률늘갈갑풀줍캘롬년얼난랫머빌맷뜁끊황깊큼" +
  "괄쇄송웁폼깅김탬랑겹핸겨짝륨엘즈애둘횟뀐갱뛰눌맨냄팅즉판멀킷톡핀떼겠쉘샷급밖써끔힌왕람쿠측냈걸망" +
  "밑짓짧박느톰율봅팔틴낸곳억셰얻떻얕끌캔큽칩험슨숨꺼냐군즘겟렸총던둡쓴북닉펴맴긺죽뽑랍골콤킬춥홈몰";

/** So many bytes of lines that are not pure ASCII are looked at. */
const SAMPLE_BYTES = 16_384;
const LINE_BYTES = 1024;
/** Logarithms of probabilities, as the models below use them. */
const BAD_BYTE = -14;
const ASCII = -3.4;
/** A half-width katakana, the one character that Shift-JIS keeps in one byte. */
const HALF_WIDTH = -10.3;
const PUNCTUATION = "，。、；：？！（）《》“”‘’…—·「」『』【】～";

/** How a script's characters are spread: the share of its common ones, and of whole blocks. */
interface Model {
  readonly encoding: MultiByte;
  /** Added to the score: how likely a file is in this encoding at all. */
  readonly prior: number;
  readonly common: string;
  readonly share: number;
  /** [first, last, share] of characters that are all about as frequent. */
  readonly blocks: readonly (readonly [first: number, last: number, share: number])[];
  /** [first, last lead byte, share]: where the encoding has its less frequent characters. */
  readonly level: readonly [first: number, last: number, share: number];
}

const KANA = [[0x3041, 0x3096, 0.36], [0x30a1, 0x30fe, 0.3]] as const;
const MODELS: readonly Model[] = [
  {
    encoding: "gb18030",
    prior: 0,
    common: SIMPLIFIED,
    share: 0.89,
    blocks: [],
    level: [0xb0, 0xd7, 0.04],
  },
  {
    encoding: "big5",
    prior: -0.5,
    common: TRADITIONAL,
    share: 0.89,
    blocks: [],
    level: [0xa4, 0xc6, 0.04],
  },
  {
    encoding: "shift_jis",
    prior: -0.5,
    common: KANJI,
    share: 0.24,
    blocks: KANA,
    level: [0x88, 0x97, 0.02],
  },
  {
    encoding: "euc-jp",
    prior: -2.5,
    common: KANJI,
    share: 0.24,
    blocks: KANA,
    level: [0xb0, 0xcf, 0.02],
  },
  {
    encoding: "euc-kr",
    prior: -0.5,
    common: HANGUL,
    share: 0.93,
    blocks: [],
    level: [0xb0, 0xc8, 0.05],
  },
];

/**
 * Says which encoding bytes that are not valid UTF-8 are most likely in: UTF-8 with bad bytes, or an
 * old one, perhaps with bad bytes too.
 */
export function guessEncoding(bytes: Uint8Array): "utf-8" | LegacyEncoding {
  const sample = linesWithHighBytes(bytes);
  const old = bestLegacy(sample);
  return utf8Score(sample) > old.score ? "utf-8" : old.encoding;
}

interface Guess {
  readonly encoding: LegacyEncoding;
  readonly score: number;
}

function bestLegacy(sample: Uint8Array): Guess {
  const guesses: Guess[] = [
    { encoding: "windows-1252", score: westernScore(sample) },
    ...MODELS.map((model) => ({ encoding: model.encoding, score: scoreOf(sample, model) })),
    ...CYRILLIC.map((encoding) => ({ encoding, score: cyrillicScore(sample, encoding) })),
  ];
  return guesses.reduce((best, each) => each.score > best.score ? each : best);
}

/** The lines with bytes above ASCII, shortened to what stands near those. */
function linesWithHighBytes(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  for (let at = 0; at < bytes.length && filled < SAMPLE_BYTES;) {
    if (bytes[at]! < 0x80) {
      at++;
      continue;
    }
    const start = Math.max(at - 1, 0);
    const newline = bytes.indexOf(0x0a, at);
    const end = Math.min(newline < 0 ? bytes.length : newline + 1, start + LINE_BYTES);
    const part = bytes.subarray(start, Math.min(end, start + SAMPLE_BYTES - filled));
    out.set(part, filled);
    filled += part.length;
    at = end;
  }
  return out.subarray(0, filled);
}

/** The logarithm of the probability of the bytes above ASCII, and of what they take with them. */
function scoreOf(bytes: Uint8Array, model: Model): number {
  const { encoding } = model;
  const scores = pairScores(model);
  let score = model.prior;
  let inside = false;
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      if (inside && isLetter(lead)) score += BESIDE_LETTER;
      inside = false;
      at++;
      continue;
    }
    const length = legacyLength(bytes, at, encoding);
    if (length === 0) {
      score += BAD_BYTE;
      inside = false;
      at++;
      continue;
    }
    if (!inside && at > 0 && isLetter(bytes[at - 1]!)) score += BESIDE_LETTER;
    inside = true;
    if (length === 2) {
      const pair = lead << 8 | bytes[at + 1]!;
      score += scores[pair]!;
      if (bytes[at + 1]! < 0x80) score -= ASCII;
    } else {
      score += length === 1 ? HALF_WIDTH : RARE;
    }
    at += length;
  }
  return score;
}

/** The logarithm of each pair's probability. */
const pairScores = once((model: Model): Float32Array => {
  const scores = new Map<number, number>();
  for (const [first, last, share] of model.blocks) {
    for (let code = first; code <= last; code++) {
      scores.set(code, Math.log(share / (last - first + 1)));
    }
  }
  for (const char of PUNCTUATION) scores.set(char.charCodeAt(0), Math.log(0.003));
  const chars = [...model.common];
  const sum = Math.log((chars.length + 40) / 40);
  for (const [rank, char] of chars.entries()) {
    scores.set(char.charCodeAt(0), Math.log(model.share / sum / (rank + 40)));
  }
  const pairs = pairTable(model.encoding);
  const table = new Float32Array(pairs.length);
  for (let pair = 0x8140; pair < pairs.length; pair++) {
    const code = pairs[pair]!;
    if (code > 0) table[pair] = scores.get(code) ?? levelScore(pair >> 8, code, model);
  }
  return table;
});

function levelScore(lead: number, code: number, { level, encoding }: Model): number {
  const [first, last, share] = level;
  if (lead >= first && lead <= last) return Math.log(share / ((last - first + 1) * 94));
  // punctuation, full-width forms, digits in circles
  const symbol = code < 0x3400 || code >= 0xff00;
  const kana = code >= 0x3041 && code <= 0x30fe;
  if (symbol && !(kana && encoding !== "shift_jis" && encoding !== "euc-jp")) return -11;
  return RARE;
}
