/** Whether `name` is one of `names`, or one of them without its date or tag (`…-20251001`, `:latest`). */
export function isAmong(name: string, names: readonly string[]): boolean {
  return names.some((one) =>
    one === name ||
    one.startsWith(name) &&
      /^(?:[-@](?:\d{4}|\d{8}|\d{4}-\d\d-\d\d|latest)|:latest)$/.test(one.slice(name.length))
  );
}
