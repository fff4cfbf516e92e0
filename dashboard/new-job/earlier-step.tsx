import { ActionIcon, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { ArrowUp, Trash2 } from 'lucide-react';
import { Section } from '../ui/section.tsx';
import type { RecipeDescription } from './draft.ts';
import { type DraftStep, newStep } from './draft-step.ts';
import { inputWrapperOrder } from './field-props.ts';
import { Parameters } from './parameters.tsx';

type Props = {
  recipes: readonly RecipeDescription[];
  step: DraftStep;
  title: string;
  /** Of the step's recipe in the request. */
  path: string;
  problems: Record<string, string>;
  onChange: (step: DraftStep) => void;
  /** Undefined for the first. */
  onRaise: (() => void) | undefined;
  onRemove: () => void;
};

/** One step before the last: its recipe, what is chosen of it, and whether its own result is kept. */
export function EarlierStepSection({
  recipes,
  step,
  title,
  path,
  problems,
  onChange,
  onRaise,
  onRemove,
}: Props) {
  const { recipe, name = '' } = step;
  const choose = (chosen: string) => {
    const next = recipes.find((one) => one.name === chosen);
    if (next !== undefined) onChange({ ...step, ...newStep(next) });
  };
  const buttons = (
    <Group gap={4} wrap="nowrap">
      <Act label={`Move ${title} up`} disabled={onRaise === undefined} onClick={onRaise}>
        <ArrowUp size={16} aria-hidden />
      </Act>
      <Act label={`Remove ${title}`} onClick={onRemove}>
        <Trash2 size={16} aria-hidden />
      </Act>
    </Group>
  );
  return (
    <Section title={title} actions={buttons}>
      <Stack gap="lg">
        <NativeSelect
          label={`Recipe of ${title.toLowerCase()}`}
          value={recipe.name}
          data={recipes.map((one) => ({ value: one.name, label: one.title }))}
          error={problems[`${path}.name`]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {recipe.description}
        </Text>
        <Parameters
          step={step}
          path={path}
          problems={problems}
          onChange={(parameters) => onChange({ ...step, parameters })}
        />
        <TextInput
          label="Keep its result as"
          description="Lower-case letters, digits and hyphens; where left out, only the next step sees it."
          inputWrapperOrder={inputWrapperOrder}
          value={name}
          error={problems[path.replace(/recipe$/, 'name')]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...step, name: value === '' ? undefined : value })
          }
        />
      </Stack>
    </Section>
  );
}

type ActProps = {
  label: string;
  disabled?: boolean;
  onClick: (() => void) | undefined;
  children: React.ReactNode;
};

function Act({ label, ...rest }: ActProps) {
  return <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={label} {...rest} />;
}
