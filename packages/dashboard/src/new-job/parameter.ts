import type { ParameterSchema, ValueLabel } from '@media-jobs/video/recipes';
import { labelFromName } from '../format/labels.ts';

/** One parameter of a recipe, as its form field needs it. */
export type Parameter = {
  name: string;
  label: string;
  description: string;
  kind: 'slider' | 'number' | 'choice' | 'switch' | 'url' | 'text' | 'list' | 'group' | 'rows' | 'json';
  /** Those of the object of a `group`, or of each of `rows`. */
  fields: readonly Parameter[];
  defaultValue: unknown;
  /** The values of a `choice`. */
  choices: readonly unknown[];
  minimum: number | undefined;
  maximum: number | undefined;
  step: number;
  /** Labels for ranges of values, such as what a CRF looks like. */
  valueLabels: readonly ValueLabel[];
  /** Whether numeric text is sent as a number: `at` may be `12.5` or `best`. */
  acceptsNumbers: boolean;
  required: boolean;
};

/** Labels of parameters whose names tell too little. */
const labels: Readonly<Record<string, string>> = {
  url: 'File or URL',
  preset: 'Encoder preset',
  maxrate: 'Maximum bit rate',
  gop: 'Keyframe interval',
};

/** Parameters that most jobs leave alone. */
const advancedNames = new Set([
  ...['preset', 'maxrate', 'gop', 'profile', 'deinterlace', 'background', 'audioCodec', 'channels', 'audioTracks'],
  ...['codecs', 'encryption', 'segmentSeconds', 'accuracy', 'truePeak', 'gap', 'track', 'curve'],
]);

/** Splits parameters into those that the form shows at once and two or more advanced ones. A single advanced one is shown too. */
export function partAdvanced(parameters: readonly Parameter[]): { usual: Parameter[]; advanced: Parameter[] } {
  const advanced = parameters.filter(({ name, required }) => advancedNames.has(name) && !required);
  if (advanced.length < 2) return { usual: [...parameters], advanced: [] };
  return { usual: parameters.filter((parameter) => !advanced.includes(parameter)), advanced };
}

/** A wider range is easier to type than to drag. */
const maxSliderRange = 100;

/** The parameters of a recipe's JSON Schema, in the order of their declaration. */
export function parametersFromSchema(recipeSchema: Record<string, unknown>): Parameter[] {
  const { properties = {}, required = [] } = recipeSchema as ParameterSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    label: labels[name] ?? labelFromName(name),
    // Descriptions are Markdown.
    description: plainText(schema.description ?? ''),
    kind: fieldKind(name, schema),
    fields: nestedFields(schema),
    defaultValue: schema.default,
    choices: choiceValues(schema) ?? [],
    minimum: schema.minimum,
    maximum: schema.maximum,
    step: stepSize(schema),
    valueLabels: schema['x-value-labels'] ?? [],
    acceptsNumbers: [schema.items ?? schema, ...(schema.anyOf ?? [])].some(isNumber),
    required: required.includes(name),
  }));
}

/** A description as a form shows it: without Markdown, and without what its button for files does by itself. */
export function plainText(description: string): string {
  return description.replaceAll('`', '').replace(/ An http or https URL, or the inputUrl of an upload\.$/, '');
}

function fieldKind(name: string, schema: ParameterSchema): Parameter['kind'] {
  const { type, format, items, anyOf } = schema;
  if (choiceValues(schema) !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (isNumber(schema)) return fitsSlider(schema) ? 'slider' : 'number';
  if (type === 'string') return format === 'uri' || /url$/i.test(name) ? 'url' : 'text';
  if (type === 'array' && items !== undefined && isScalar(items)) return 'list';
  if (nestedFields(schema).length > 0) return type === 'array' ? 'rows' : 'group';
  return anyOf?.every(isScalar) ? 'text' : 'json';
}

/** The fields of an object or of the objects of a list, if each has one of its own. */
function nestedFields({ type, items, properties }: ParameterSchema): Parameter[] {
  const object = type === 'array' ? items : { type, properties };
  if (object?.type !== 'object' || object.properties === undefined) return [];
  const fields = parametersFromSchema(object as Record<string, unknown>);
  return fields.some(({ kind }) => ['json', 'group', 'rows'].includes(kind)) ? [] : fields;
}

/** The values of an enumeration, a constant, or a union of these. */
function choiceValues({ enum: values, const: constant, anyOf }: ParameterSchema): readonly unknown[] | undefined {
  if (values !== undefined) return values;
  if (constant !== undefined) return [constant];
  const alternatives = anyOf?.map(choiceValues);
  return alternatives?.every((values) => values !== undefined) ? alternatives.flat() : undefined;
}

function isNumber({ type }: ParameterSchema): boolean {
  return type === 'number' || type === 'integer';
}

function isScalar(schema: ParameterSchema): boolean {
  return schema.type === 'string' || isNumber(schema);
}

/** Whether a range is narrow and its minimum is a multiple of the step. */
function fitsSlider(schema: ParameterSchema): boolean {
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined || maximum - minimum > maxSliderRange) return false;
  const steps = minimum / stepSize(schema);
  return Math.abs(steps - Math.round(steps)) < 1e-9;
}

/** About a hundred steps per range; whole numbers for wide ranges. */
function stepSize({ type, minimum = 0, maximum = Number.POSITIVE_INFINITY, multipleOf }: ParameterSchema): number {
  if (multipleOf !== undefined) return multipleOf;
  if (type === 'integer' || maximum - minimum > 30) return 1;
  if (maximum - minimum > 5) return 0.5;
  return maximum - minimum > 1.5 ? 0.05 : 0.01;
}

/** The value of a selected option; undefined for the default. */
export function parseChoice(text: string, { choices, defaultValue }: Parameter): unknown {
  const choice = choices.find((value) => String(value) === text);
  return choice === defaultValue ? undefined : choice;
}

/** The value of a text field; undefined if it is empty. */
export function parseScalar(
  text: string,
  { acceptsNumbers }: Pick<Parameter, 'acceptsNumbers'>,
): string | number | undefined {
  if (text.trim() === '') return undefined;
  return acceptsNumbers && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The values of a comma-separated list; undefined if there are none. */
export function parseList(text: string, parameter: Parameter): unknown[] | undefined {
  const values = text.split(',').map((item) => parseScalar(item.trim(), parameter));
  const present = values.filter((value) => value !== undefined);
  return present.length === 0 ? undefined : present;
}

/** The parsed JSON, or the text itself if it is invalid, so that validation reports it; undefined if it is empty. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** The label of a value, if its parameter has labels. */
export function valueLabel(value: number, { valueLabels }: Pick<Parameter, 'valueLabels'>): string | undefined {
  return valueLabels.find(({ max }) => max === undefined || value <= max)?.label;
}
