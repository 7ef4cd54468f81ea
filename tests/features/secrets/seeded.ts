/** Made-up secrets of every kind. No file holds one as it is: they are drawn. */
import { random as randomOf } from "../../support/soak.ts";

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";

/** Draws secrets from a seed. */
export function drawSecrets(seed: number) {
  const random = randomOf(seed);
  const pick = (from: string) => from[Math.floor(random() * from.length)]!;
  const draw = (length: number, from = ALNUM) => Array.from({ length }, () => pick(from)).join("");
  const base64 = (bytes: number) =>
    Uint8Array.from({ length: bytes }, () => Math.floor(random() * 256)).toBase64();
  const url64 = (value: unknown) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const block = (label: string, begin: string, lines: number, end = "\n") =>
    [
      `-----BEGIN ${label}-----`,
      begin + draw(64 - begin.length),
      ...Array.from({ length: lines }, () => draw(64)),
      `${draw(30)}==`,
      `-----END ${label}-----`,
    ].join(end);
  /** By the name of the shape. */
  const shaped: { readonly [kind: string]: () => string } = {
    "openai-key": () => `sk-proj-${draw(48)}T3BlbkFJ${draw(48)}`,
    "anthropic-key": () => `sk-ant-api03-${draw(93)}AA`,
    "openrouter-key": () => `sk-or-v1-${draw(64, HEX)}`,
    "api-key": () => `sk-${draw(random() < 0.5 ? 48 : 32, random() < 0.5 ? ALNUM : HEX)}`,
    "stripe-key": () => `sk_live_${draw(24)}`,
    "github-token": () => random() < 0.5 ? `ghp_${draw(36)}` : `github_pat_${draw(22)}_${draw(59)}`,
    "gitlab-token": () => `glpat-${draw(20)}`,
    "npm-token": () => `npm_${draw(36)}`,
    "pypi-token": () => `pypi-AgEIcHlwaS5vcmc${draw(120)}`,
    "slack-token": () => `xoxb-${draw(12, "0123456789")}-${draw(12, "0123456789")}-${draw(24)}`,
    "google-key": () => `AIza${draw(35)}`,
    "aws-key": () => `AKIA${draw(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
    "azure-secret": () => `${draw(3)}8Q~${draw(34)}`,
    "huggingface-token": () => `hf_${draw(34)}`,
    "groq-key": () => `gsk_${draw(52)}`,
    "sendgrid-key": () => `SG.${draw(22)}.${draw(43)}`,
    "digitalocean-token": () => `dop_v1_${draw(64, HEX)}`,
    "telegram-token": () => `${draw(9, "123456789")}:AA${draw(33)}`,
    jwt: () =>
      `${url64({ alg: "HS256", typ: "JWT" })}.${url64({ sub: draw(12), iat: 1 })}.${draw(43)}`,
    "private-key": () =>
      random() < 0.5
        ? block("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 20)
        : block("OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA", 4),
  };
  return { random, draw, base64, shaped };
}
