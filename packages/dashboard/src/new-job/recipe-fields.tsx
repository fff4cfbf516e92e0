import { NativeSelect, Stack, Switch, Text } from '@mantine/core';
import { ticked, typed } from '../ui/typed.ts';
import { Advanced } from './advanced.tsx';
import type { DraftOutput, OutputOptions } from './draft.ts';
import { ifAny, type SectionProps, withValue } from './field-props.ts';
import { KeepFiles } from './keep-files.tsx';
import classes from './new-job.module.css';
import { parametersFromSchema } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';
import { Parameters } from './parameters.tsx';
import { qualityNames } from './quality-field.tsx';

type Output = Pick<DraftOutput, 'name' | 'recipe' | 'parameters' | 'format' | 'options'>;

type Props = Pick<SectionProps, 'problems'> & {
  output: Output;
  /** Whether the job has several outputs. */
  isOneOfSeveral: boolean;
  /** Path of the recipe in the request. */
  path: string;
  onChange: (changes: Partial<Omit<Output, 'recipe'>>) => void;
};

/** The choice of a recipe's output format if it has several, its parameters, and the options of one of several outputs. */
export function RecipeFields({ output, isOneOfSeveral, path, problems, onChange }: Props) {
  const { name, recipe, format, options = {} } = output;
  const formats = recipe.outputFormats;
  return (
    <>
      {formats.length === 1 ? null : (
        <NativeSelect
          label="Format"
          mb="md"
          data={formats}
          error={problems[isOneOfSeveral ? `outputs.${name}.format` : 'output.format']}
          {...typed(format, (chosen) => onChange({ format: chosen }))}
        />
      )}
      <Parameters
        step={output}
        path={path}
        problems={problems}
        onChange={(parameters) => onChange(withFittingFormat(parameters, format))}
      />
      {isOneOfSeveral ? (
        <OptionsFields
          name={name}
          options={options}
          problems={problems}
          onChange={(next) => onChange({ options: next })}
        />
      ) : null}
    </>
  );
}

/** The formats that hold a codec, the usual one first. */
const formatsByCodec: Readonly<Record<string, readonly string[]>> = {
  prores: ['mov'],
  vp9: ['webm', 'mkv'],
  av1: ['mp4', 'webm', 'mkv'],
  h265: ['mp4', 'mov', 'mkv'],
  h264: ['mp4', 'mov', 'mkv'],
};

/** Parameters with a format that holds their codec, the chosen one if it does. ProRes has no quality but its profile. */
function withFittingFormat(parameters: Record<string, unknown>, format: string) {
  const { codec } = parameters;
  const names = Object.keys(parameters).filter((name) => codec !== 'prores' || !qualityNames.includes(name));
  const fitting = formatsByCodec[String(codec)] ?? [format];
  return {
    parameters: Object.fromEntries(names.map((name) => [name, parameters[name]])),
    format: fitting.includes(format) ? format : (fitting[0] ?? format),
  };
}

const pixels = { type: 'integer', minimum: 1, maximum: 16_384, default: 'any', description: 'As displayed.' };
const yesOrNo = { enum: ['any', true, false], default: 'any' };

const conditions = parametersFromSchema({
  properties: {
    minWidth: pixels,
    minHeight: pixels,
    minSeconds: { type: 'number', minimum: 0, maximum: 86_400, default: 'any' },
    hasAudio: yesOrNo,
    hasVideo: { ...yesOrNo, description: 'An image counts as video.' },
  },
});

type OptionsProps = Pick<SectionProps, 'problems'> & {
  name: string;
  options: OutputOptions;
  onChange: (options: OutputOptions) => void;
};

/** Whether an output is made, what its failure means, and how long the job delivers its files. */
function OptionsFields({ name, options, problems, onChange }: OptionsProps) {
  const { when = {}, optional, deliver, keepDays } = options;
  const isSet = Object.values(options).some((value) => value !== undefined);
  return (
    <Advanced title="When to make it, and how long to keep it" isSet={isSet}>
      <Stack gap="lg">
        <Text size="sm">Make this output only if its source has all of these:</Text>
        <div className={classes.parameters}>
          {conditions.map((condition) => (
            <ParameterField
              key={condition.name}
              parameter={condition}
              value={when[condition.name]}
              error={problems[`outputs.${name}.when.${condition.name}`]}
              onChange={(value) => onChange({ ...options, when: ifAny(withValue(when, condition.name, value)) })}
            />
          ))}
        </div>
        <Switch
          label="Optional"
          description="If it fails, the job goes on without it."
          {...ticked(optional === true, (checked) => onChange({ ...options, optional: checked || undefined }))}
        />
        <Switch
          label="Deliver"
          description="If off, only other outputs use it, and you cannot download it."
          {...ticked(deliver !== false, (checked) => onChange({ ...options, deliver: checked ? undefined : false }))}
        />
        <KeepFiles
          unset="As long as the other files of the job"
          value={keepDays}
          error={problems[`outputs.${name}.keepDays`]}
          onChange={(days) => onChange({ ...options, keepDays: days })}
        />
      </Stack>
    </Advanced>
  );
}
