import { Stack, Switch, Text } from '@mantine/core';
import { Advanced } from './advanced.tsx';
import type { OutputOptions } from './draft.ts';
import { KeepFiles } from './keep-files.tsx';
import classes from './new-job.module.css';
import { parametersFromSchema } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';

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

type Props = {
  name: string;
  options: OutputOptions;
  problems: Record<string, string>;
  onChange: (options: OutputOptions) => void;
};

/** Whether an output is made, what its failure means, and how long the job delivers its files. */
export function OutputOptionsFields({ name, options, problems, onChange }: Props) {
  const { when = {}, optional, deliver, keepDays } = options;
  const setCondition = (condition: string, value: unknown) => {
    const { [condition]: _, ...others } = when;
    const next = value === undefined ? others : { ...others, [condition]: value };
    onChange({ ...options, when: Object.keys(next).length === 0 ? undefined : next });
  };
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
              onChange={(value) => setCondition(condition.name, value)}
            />
          ))}
        </div>
        <Switch
          label="Optional"
          description="If it fails, the job goes on without it."
          checked={optional === true}
          onChange={({ currentTarget }) => onChange({ ...options, optional: currentTarget.checked || undefined })}
        />
        <Switch
          label="Deliver"
          description="If off, only other outputs use it, and you cannot download it."
          checked={deliver !== false}
          onChange={({ currentTarget }) => onChange({ ...options, deliver: currentTarget.checked ? undefined : false })}
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
