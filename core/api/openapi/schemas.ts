import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Which side of a schema: what a caller sends, or what it has become once parsed, which is also what is answered. */
export type Side = 'input' | 'output';

/** Turns zod schemas into JSON Schemas that refer to shared ones, and keeps those for the document's components. */
export type SchemaCollector = {
  of(schema: z.ZodType, side: Side): JsonSchema;
  shared: Map<string, JsonSchema>;
};

const local = '#/$defs/';
const shared = '#/components/schemas/';

/** Schemas with an `id` in their metadata are shared under it, any other is written out where it is used. */
export function createSchemaCollector(): SchemaCollector {
  const components = new Map<string, JsonSchema>();
  return {
    shared: components,
    of: (schema, side) => {
      // Inside of an object a schema with an id becomes a reference, at the root it would not.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), {
        io: side,
        override: ({ jsonSchema }) => {
          delete jsonSchema.id;
          // The name of a format says it better than its pattern.
          if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
          // Later versions may answer more fields, which a client must not mind.
          if (jsonSchema.additionalProperties === false && side === 'output') {
            delete jsonSchema.additionalProperties;
          }
        },
      });
      for (const [id, definition] of Object.entries($defs)) keep(components, id, pointToShared(definition));
      return pointToShared(properties?.root);
    },
  };
}

function keep(components: Map<string, JsonSchema>, id: string, definition: JsonSchema): void {
  const known = components.get(id);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`Two different schemas are called ${id}; give one of them another id`);
  }
  components.set(id, definition);
}

function pointToShared(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${local}`, `"${shared}`));
}
