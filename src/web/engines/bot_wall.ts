/** Recognises the pages that stand in for the page asked for: challenges, captchas, "are you human". */

/** A page with less text than this may be a shell that scripts fill. */
const SHELL_CHARS = 250;
const PLEAS_READ = 20;

/** Who sent such a page, by a header it sets. */
const HEADERS: readonly (readonly [header: string, value: RegExp, who: string])[] = [
  ["cf-mitigated", /challenge/i, "Cloudflare challenge"],
  ["x-amzn-waf-action", /captcha|challenge/i, "AWS WAF"],
  ["x-datadome", /protected/i, "DataDome"],
  ["x-dd-b", /./, "DataDome"],
  ["x-vercel-mitigated", /challenge|deny/i, "Vercel checkpoint"],
  ["x-kpsdk-ct", /./, "Kasada"],
];

/** Who sent such a page, by what stands in it. */
const MARKS: readonly (readonly [mark: RegExp, who: string])[] = [
  [
    /challenges\.cloudflare\.com|cdn-cgi\/challenge-platform|cf-browser-verification|<title>(Just a moment|Attention Required! \| Cloudflare)/i,
    "Cloudflare challenge",
  ],
  [/captcha-delivery\.com/i, "DataDome"],
  [/px-captcha|_pxAppId|perimeterx\.net/i, "PerimeterX"],
  [/_Incapsula_Resource/i, "Imperva"],
  [
    /errors\.edgesuite\.net|sec-if-cpt-container|<h1>Access Denied<\/h1>[^]{0,400}Reference.{0,3}#/i,
    "Akamai",
  ],
  [/Making sure you(&#39;|')re not a bot|id="anubis_/i, "Anubis"],
  [/acw_sc__v[23]|aliyun_waf|aliyunCaptcha/i, "Aliyun WAF"],
  [/TencentCaptcha|EdgeOne Bot/i, "Tencent captcha"],
  [/ips\.js\?KPSDK|KPSDK\.scriptStart/i, "Kasada"],
  [/Vercel Security Checkpoint/i, "Vercel checkpoint"],
  [/Sucuri WebSite Firewall/i, "Sucuri"],
  [/awswaf\.com/i, "AWS WAF"],
  [/百度安全验证|请完成(下方|以下|安全)?验证|访问验证|滑动验证|请输入验证码/, "captcha"],
  [
    /unusual traffic from your computer|verify (that )?you are (a )?human|are you a robot|not a robot|g-recaptcha|h-captcha|cf-turnstile|blocked by network security/i,
    "captcha",
  ],
];

/**
 * Names the bot wall a response is; undefined when it is none. `text` is what a reader sees of the page:
 * a page that answers 200 with a real text is a page, whatever it embeds.
 */
export function botWall(
  status: number,
  headers: Headers,
  html: string,
  text: string,
): string | undefined {
  for (const [header, value, who] of HEADERS) {
    if (status !== 200 && value.test(headers.get(header) ?? "")) return who;
  }
  const standsIn = [202, 401, 403, 405, 429, 503].includes(status) ||
    (status === 200 && text.length < 800);
  if (!standsIn) return undefined;
  return MARKS.find(([mark]) => mark.test(html))?.[1];
}

/** True for a page whose text only its scripts would bring. */
export function needsScripts(html: string, text: string): boolean {
  if (text.length >= SHELL_CHARS || !/<script\b/i.test(html)) return false;
  const plea = pleas(html).some((each) => /javascript|启用\s*JS/i.test(each)) ||
    /(enable|requires?|turn on) javascript|启用 ?javascript|需要 ?javascript/i.test(text);
  return plea ||
    /<(div|main|section) id=["']?(app|root|__next|__nuxt|svelte|main-app)\b/i.test(html);
}

/** What stands in the page's first `<noscript>`s. */
function pleas(html: string): string[] {
  return html.split(/<noscript\b/i, PLEAS_READ + 1).slice(1)
    .map((rest) => rest.slice(rest.indexOf(">") + 1).slice(0, 2000));
}
