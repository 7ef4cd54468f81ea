import { importPart } from "../support/part.ts";

await importPart(3);
