/** YAML of a front matter. */
import { CORE_SCHEMA, load } from "js-yaml";

/** A value that people write without the quotes it needs: `description: Use when: x`. */
const UNQUOTED = /^([\w-]+):[ \t]+([^\s"'[{|>#](?:.*\S)?)[ \t]*$/gm;

/**
 * Reads a document into plain data; where it is no YAML, once more with its outermost values
 * quoted. Throws when that is no YAML either. Nothing is ever executed.
 */
export function readYaml(text: string): unknown {
  const read = (text: string) => load(text, { schema: CORE_SCHEMA });
  try {
    return read(text);
  } catch (error) {
    const quoted = text.replaceAll("\r\n", "\n").replace(
      UNQUOTED,
      (_, key, value) => `${key}: ${JSON.stringify(value)}`,
    );
    try {
      return read(quoted);
    } catch {
      throw error;
    }
  }
}
