/** What a form needs to know of one parameter, read from a recipe's JSON Schema. */
export type Parameter = {
  name: string;
  label: string;
  description: string;
  kind: 'slider' | 'number' | 'choice' | 'switch' | 'text' | 'json';
  fallback: unknown;
  choices: readonly string[];
  minimum: number | undefined;
  maximum: number | undefined;
  step: number;
  required: boolean;
};

type JsonSchema = {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  anyOf?: readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
};

/** Wider ranges are easier typed than dragged. */
const mostSliderSteps = 100;

/** The parameters of a recipe, in the order in which it declares them. */
export function parametersOf(recipeSchema: Record<string, unknown>): Parameter[] {
  const { properties = {}, required = [] } = recipeSchema as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    label: labelOf(name),
    description: schema.description ?? '',
    kind: kindOf(schema),
    fallback: schema.default,
    choices: (schema.enum ?? []).map(String),
    minimum: schema.minimum,
    maximum: schema.maximum,
    step: schema.multipleOf ?? (schema.type === 'integer' ? 1 : 0.1),
    required: required.includes(name),
  }));
}

function kindOf({ type, enum: choices, anyOf, minimum, maximum }: JsonSchema): Parameter['kind'] {
  if (choices !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'number' || type === 'integer') {
    const isShort = minimum !== undefined && maximum !== undefined && maximum - minimum <= mostSliderSteps;
    return isShort ? 'slider' : 'number';
  }
  const isText = (one: JsonSchema) => ['string', 'number', 'integer'].includes(one.type ?? '');
  return type === 'string' || anyOf?.every(isText) ? 'text' : 'json';
}

/** `maxWidth` as `Max width`; what people write in capitals stays so. */
function labelOf(name: string): string {
  if (['crf', 'fps', 'url', 'id'].includes(name)) return name.toUpperCase();
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
