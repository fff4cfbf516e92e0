import { Button, Group } from '@mantine/core';
import { useMemo } from 'react';
import { DocsLink } from '../ui/docs-link.tsx';
import { Note } from '../ui/text.tsx';
import { Advanced } from './advanced.tsx';
import type { DraftStep } from './draft.ts';
import { type ValueProps, withValue } from './field-props.ts';
import classes from './new-job.module.css';
import { type Parameter, parametersFromSchema, partAdvanced } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';
import { parameterTerms, QualityField, qualityNames } from './quality-field.tsx';

type Props = {
  step: DraftStep;
  /** Path of the step's recipe in the request. */
  path: string;
  problems: Record<string, string>;
  onChange: (parameters: DraftStep['parameters']) => void;
};

export function Parameters({ step: { recipe, parameters }, path, problems, onChange }: Props) {
  const fields = useMemo(() => parametersFromSchema(recipe.parameters), [recipe]);
  const errorOf = (name: string) =>
    problems[`${path}.${name}`] ?? Object.entries(problems).find(([key]) => key.startsWith(`${path}.${name}.`))?.[1];
  const ofQuality = fields.filter(({ name }) => qualityNames.includes(name));
  const hasWays = ofQuality.length > 1;
  const { usual, advanced } = partAdvanced(hasWays ? fields.filter((field) => !ofQuality.includes(field)) : fields);
  const isCodec = ({ name }: Parameter) => name === 'codec';
  const show = (shown: readonly Parameter[]) =>
    shown.map((parameter) => (
      <div key={`${recipe.name} ${parameter.name}`} data-wide={isWide(parameter) || undefined}>
        <ParameterField
          parameter={parameter}
          value={parameters[parameter.name]}
          error={errorOf(parameter.name)}
          onChange={(value) => onChange(withValue(parameters, parameter.name, value))}
        />
        <DocsLink term={parameterTerms[parameter.name]} />
      </div>
    ));
  const setQuality = (values: Record<string, unknown>) => {
    const others = Object.entries(parameters).filter(([name]) => !qualityNames.includes(name));
    onChange({ ...Object.fromEntries(others), ...values });
  };
  return (
    <>
      {fields.length === 0 ? <Note>This recipe has no options.</Note> : null}
      {recipe.name === 'resize' ? <Shapes value={parameters} onChange={onChange} /> : null}
      <div className={classes.parameters}>
        {show(usual.filter(isCodec))}
        {hasWays && parameters.codec !== 'prores' ? (
          <div key={`${recipe.name} quality`} data-wide>
            <QualityField parameters={ofQuality} values={parameters} errorOf={errorOf} onChange={setQuality} />
          </div>
        ) : null}
        {show(usual.filter((field) => !isCodec(field)))}
      </div>
      {advanced.length === 0 ? null : (
        <Advanced
          title="Advanced options"
          isSet={advanced.some(({ name }) => parameters[name] !== undefined || errorOf(name) !== undefined)}
        >
          <div className={classes.parameters}>{show(advanced)}</div>
        </Advanced>
      )}
    </>
  );
}

function isWide({ kind }: Parameter): boolean {
  return ['slider', 'url', 'json', 'group', 'rows'].includes(kind);
}

const shapes = [
  { label: '9:16 vertical (Reels, Shorts, TikTok)', width: 1080, height: 1920 },
  { label: '4:5 portrait (feed)', width: 1080, height: 1350 },
  { label: '1:1 square', width: 1080, height: 1080 },
  { label: '16:9 landscape', width: 1920, height: 1080 },
];

/** Sizes that people ask for by name. The frame is filled, and what is beyond it is cut off. */
function Shapes({ value: parameters, onChange }: ValueProps<DraftStep['parameters']>) {
  return (
    <Group gap="xs" mb="md">
      {shapes.map(({ label, width, height }) => {
        const isChosen = parameters.width === width && parameters.height === height && parameters.fit === 'cover';
        return (
          <Button
            key={label}
            size="xs"
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onChange({ ...parameters, width, height, fit: 'cover' })}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}
