import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { DocsLink } from '../ui/docs-link.tsx';
import type { DocumentedTerm } from '../ui/documented-terms.ts';
import type { DraftStep } from './draft.ts';
import classes from './new-job.module.css';
import { type Parameter, parametersFromSchema } from './parameter.ts';
import { ParameterField } from './parameter-field.tsx';

type Props = {
  step: DraftStep;
  /** Path of the step's recipe in the request. */
  path: string;
  problems: Record<string, string>;
  onChange: (parameters: DraftStep['parameters']) => void;
};

export function Parameters({ step: { recipe, parameters }, path, problems, onChange }: Props) {
  const fields = useMemo(() => parametersFromSchema(recipe.parameters), [recipe]);
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = parameters;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <>
      {fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          This recipe has no options.
        </Text>
      ) : null}
      <div className={classes.parameters}>
        {fields.map((parameter) => (
          <div key={`${recipe.name} ${parameter.name}`} data-wide={isWide(parameter) || undefined}>
            <ParameterField
              parameter={parameter}
              value={parameters[parameter.name]}
              error={problems[`${path}.${parameter.name}`]}
              onChange={(value) => set(parameter.name, value)}
            />
            <DocsLink term={terms[parameter.name]} />
          </div>
        ))}
      </div>
    </>
  );
}

/** Terms of parameters that need more than a description. */
const terms: Readonly<Record<string, DocumentedTerm>> = { crf: 'CRF', targetVmaf: 'VMAF' };

function isWide({ kind }: Parameter): boolean {
  return kind === 'slider' || kind === 'url' || kind === 'json';
}
