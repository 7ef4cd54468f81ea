/** What a server wants to have filled in, as a question to the user. */
import { say } from "../text.ts";
import type { Field, Filled, Json, Lang, Question } from "../types.ts";
import { isRecord } from "./listing.ts";

/** The question for a form that a server asks for. */
export function formQuestion(
  server: string,
  params: { readonly [key: string]: unknown },
  lang: Lang,
): Question {
  const schema = isRecord(params["requestedSchema"]) ? params["requestedSchema"] : {};
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const message = String(params["message"] ?? "");
  return {
    kind: "input",
    question: say(lang, "mcp.asks", { server, message }),
    fields: Object.entries(properties).flatMap(([name, property]) =>
      isRecord(property) ? [fieldOf(name, property, required.includes(name))] : []
    ),
  };
}

/** What was filled in, in the types that the fields have; what was left empty is left out. */
export function formContent(
  fields: readonly Field[],
  filled: Filled,
): { [name: string]: string | number | boolean | string[] } {
  const content: { [name: string]: string | number | boolean | string[] } = {};
  for (const { name, type, required } of fields) {
    const value = filled[name];
    if (value === undefined || value === null) continue;
    if (type === "number" || type === "integer") {
      if (String(value).trim() !== "" && Number.isFinite(Number(value))) {
        content[name] = Number(value);
      }
    } else if (type === "boolean") {
      content[name] = value === true || value === "true";
    } else if (type === "choices" || type === "lines") {
      content[name] = (Array.isArray(value) ? value : [value]).map(String);
    } else if (required || value !== "") {
      content[name] = String(value);
    }
  }
  return content;
}

function fieldOf(
  name: string,
  property: { readonly [key: string]: unknown },
  required: boolean,
): Field {
  const title = typeof property["title"] === "string" ? property["title"] : name;
  const more = typeof property["description"] === "string" ? property["description"] : "";
  const { type, choices } = kindOf(property);
  const minimum = property[type === "text" ? "minLength" : "minimum"];
  const maximum = property[type === "text" ? "maxLength" : "maximum"];
  return {
    name,
    label: more === "" || more === title ? title : `${title} (${more})`,
    type,
    ...choices ? { choices } : {},
    ...property["default"] === undefined ? {} : { value: property["default"] as Json },
    ...required ? { required } : {},
    ...typeof minimum === "number" ? { minimum } : {},
    ...typeof maximum === "number" ? { maximum } : {},
  };
}

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
