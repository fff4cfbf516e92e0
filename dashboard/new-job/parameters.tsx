import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { Section } from '../shell/section.tsx';
import type { Draft } from './draft.ts';
import classes from './new-job.module.css';
import { type Parameter, parametersOf } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';

type Props = {
  draft: Draft;
  problems: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

/** What can be chosen of a recipe, as its own schema tells. */
export function Parameters({ draft: { recipe, parameters }, problems, onChange }: Props) {
  const fields = useMemo(() => parametersOf(recipe.parameters), [recipe]);
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = parameters;
    onChange({ parameters: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <Section title={`${recipe.title} options`}>
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          This recipe has nothing to choose.
        </Text>
      ) : null}
      <div className={classes.parameters}>
        {fields.map((parameter) => (
          <div key={`${recipe.name} ${parameter.name}`} data-wide={isWide(parameter) || undefined}>
            <ParameterField
              parameter={parameter}
              value={parameters[parameter.name]}
              error={problems[`recipe.${parameter.name}`]}
              onChange={(value) => set(parameter.name, value)}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}

function isWide({ kind }: Parameter): boolean {
  return kind === 'slider' || kind === 'url' || kind === 'json';
}
