/** What a server wants to have filled in, as a question to the user. */
import type { T } from "../../../base/t.ts";
import type { Field, Filled, Json, Question } from "../../../base/types.ts";
import { isRecord } from "../../../base/is_record.ts";

/** The question for a form that a server asks for. */
export function formQuestion(
  server: string,
  params: { readonly [key: string]: unknown },
  t: T,
): Question {
  const schema = isRecord(params["requestedSchema"]) ? params["requestedSchema"] : {};
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const message = String(params["message"] ?? "");
  return {
    kind: "input",
    question: t("The MCP server {server} asks you: {message}", { server, message }),
    fields: Object.entries(properties).flatMap(([name, property]) =>
      isRecord(property) ? [fieldOf(name, property, required.includes(name))] : []
    ),
  };
}

/** What was filled in, which the fields take; what was left empty is left out. */
export function formContent(
  fields: readonly Field[],
  filled: Filled,
): { [name: string]: string | number | boolean | string[] } {
  type Content = string | number | boolean | string[];
  return Object.fromEntries(fields.flatMap(({ name }): [string, Content][] => {
    const value = Object.hasOwn(filled, name) ? filled[name] : undefined;
    return value === undefined || value === null || value === "" ? [] : [[name, value as Content]];
  }));
}

function fieldOf(
  name: string,
  property: { readonly [key: string]: unknown },
  required: boolean,
): Field {
  const title = typeof property["title"] === "string" ? property["title"] : name;
  const more = typeof property["description"] === "string" ? property["description"] : "";
  const { type, choices } = kindOf(property);
  const [least, most] = BOUNDS[type] ?? ["minimum", "maximum"];
  const { [least]: minimum, [most]: maximum, format } = property;
  return {
    name,
    label: more === "" || more === title ? title : `${title} (${more})`,
    type,
    ...choices ? { choices } : {},
    ...property["default"] === undefined ? {} : { value: property["default"] as Json },
    ...required ? { required } : {},
    ...typeof minimum === "number" ? { minimum } : {},
    ...typeof maximum === "number" ? { maximum } : {},
    ...type === "text" && isFormat(format) ? { format } : {},
  };
}

const BOUNDS: { readonly [type in Field["type"]]?: readonly [least: string, most: string] } = {
  text: ["minLength", "maxLength"],
  lines: ["minItems", "maxItems"],
  choices: ["minItems", "maxItems"],
};
const isFormat = (format: unknown): format is NonNullable<Field["format"]> =>
  ["email", "uri", "date", "date-time"].includes(format as string);

function kindOf(property: { readonly [key: string]: unknown }): Pick<Field, "type" | "choices"> {
  const choices = choicesOf(property);
  if (choices) return { type: "choice", choices };
  if (property["type"] === "array") {
    const items = isRecord(property["items"]) ? choicesOf(property["items"]) : undefined;
    return items ? { type: "choices", choices: items } : { type: "lines" };
  }
  const { type } = property;
  return { type: type === "number" || type === "integer" || type === "boolean" ? type : "text" };
}

function choicesOf(schema: { readonly [key: string]: unknown }): Field["choices"] {
  const titled = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(titled)) {
    return titled.filter(isRecord).filter((one) => typeof one["const"] === "string").map((one) => ({
      value: String(one["const"]),
      label: typeof one["title"] === "string" ? one["title"] : String(one["const"]),
    }));
  }
  if (!Array.isArray(schema["enum"])) return undefined;
  const names = Array.isArray(schema["enumNames"]) ? schema["enumNames"] : [];
  return schema["enum"].map((value, at) => ({
    value: String(value),
    label: String(names[at] ?? value),
  }));
}
