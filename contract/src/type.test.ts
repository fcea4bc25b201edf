import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import TypeBox from "typebox";
import Type from "./type.ts";

/**
 * Uses every builder with and without options. Uses one of the schemas twice: as a required and as
 * an optional property.
 */
function schemas(of: typeof Type) {
  const text = of.String({ minLength: 1 });
  const tree = of.Object({ label: of.String(), children: of.Array(of.Ref("Tree"), { maxItems: 3 }) });
  return [
    of.Object({}),
    of.Object({ a: text, b: of.Optional(text), c: of.Optional(of.Union([of.Null(), of.Number()])) }, { title: "T" }),
    of.Object({ only: of.Optional(of.Boolean()) }),
    of.Array(of.Integer({ minimum: 0 }), { minItems: 1 }),
    of.Cyclic({ Tree: tree }, "Tree", { description: "d" }),
    of.Enum(["a", "b"], { default: "a" }),
    of.Literal("a"),
    of.Literal(1, { description: "one" }),
    of.Literal(true),
    of.Ref("Tree"),
    of.Unknown({ description: "anything" }),
    of.Unknown(),
    of.Unsafe<string>({ type: "string", format: "uuid" }),
    tree,
    text,
  ];
}

test("the builders return the same schemas as TypeBox", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(schemas(Type))), JSON.parse(JSON.stringify(schemas(TypeBox))));
});

test("making a copy of a schema optional leaves the original required", () => {
  const text = Type.String();
  assert.deepEqual(Object.keys(Type.Optional(text)), ["type"]);
  assert.deepEqual(Type.Object({ a: text, b: Type.Optional(text) }).required, ["a"]);
});

test("TypeBox is loaded when the first value is validated, not with the contract", () => {
  const program = `
    import { registerHooks } from "node:module";
    let loaded = 0;
    registerHooks({ load: (url, context, next) => { if (url.includes("/typebox/")) loaded++; return next(url, context); } });
    await import("@sheaf/contract/endpoints.ts");
    const { compile } = await import("@sheaf/contract/validate.ts");
    const { default: Type } = await import("@sheaf/contract/type.ts");
    const check = compile(Type.Object({ a: Type.String() }));
    const before = loaded;
    console.log(JSON.stringify([before, check({ a: 1 }), loaded > 0]));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname });
  assert.deepEqual(JSON.parse(output.toString()), [0, [{ path: "/a", message: "must be a string" }], true]);
});
