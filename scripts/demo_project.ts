/** The little shop that the demo mends: one bug, one failing test, nothing to download. */
export const demoProject: { readonly [path: string]: string } = {
  "README.md": `# A little shop

Adds up a shopping cart and its shipping. All prices are in cents.

    deno task test
`,
  "deno.json": `{
  "tasks": { "test": "deno test --quiet" }
}
`,
  "src/cart.ts": `/** Prices are in cents. */
export interface Item {
  name: string;
  price: number;
  count: number;
}

const SHIPPING = 490;
const FREE_SHIPPING_FROM = 5000;

export function subtotal(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.price * item.count, 0);
}

/** Orders of 50.00 and more are shipped free. */
export function shipping(amount: number): number {
  return amount > FREE_SHIPPING_FROM ? 0 : SHIPPING;
}

export function total(items: readonly Item[]): number {
  const amount = subtotal(items);
  return amount + shipping(amount);
}
`,
  "tests/cart_test.ts": `import assert from "node:assert/strict";
import { shipping, subtotal, total } from "../src/cart.ts";

Deno.test("a cart adds up prices and counts", () => {
  assert.equal(subtotal([{ name: "tea", price: 450, count: 2 }]), 900);
});

Deno.test("a small order pays for shipping", () => {
  assert.equal(total([{ name: "tea", price: 450, count: 2 }]), 1390);
});

Deno.test("an order of exactly 50.00 is shipped free", () => {
  assert.equal(shipping(5000), 0);
});
`,
};
