import { Group, Stack, TextInput } from '@mantine/core';
import { ArrowUp, Trash2 } from 'lucide-react';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { Section } from '../ui/section.tsx';
import { acceptsMultipleInputs, type DraftStep, newStep, stepRecipePath } from './draft.ts';
import { inputWrapperOrder, type RecipeSectionProps } from './field-props.ts';
import { ItemAction, movedUp } from './list-actions.tsx';
import { Parameters } from './parameters.tsx';
import { RecipeSelect } from './recipe-select.tsx';

export function EarlierSteps({ recipes, draft: { earlierSteps }, problems, onChange }: RecipeSectionProps) {
  const stepRecipes = recipes.filter((recipe) => !acceptsMultipleInputs(recipe));
  const replaceStep = (index: number, step: DraftStep) =>
    onChange({
      earlierSteps: earlierSteps.map((known, at) => (at === index ? { ...step, id: known.id } : known)),
    });
  return earlierSteps.map((step, index) => (
    <EarlierStepSection
      key={step.id}
      recipes={stepRecipes}
      step={step}
      title={`Step ${index + 1}`}
      path={stepRecipePath(index, earlierSteps.length + 1)}
      problems={problems}
      onChange={(next) => replaceStep(index, next)}
      onMoveUp={index === 0 ? undefined : () => onChange({ earlierSteps: movedUp(earlierSteps, index) })}
      onRemove={() => onChange({ earlierSteps: earlierSteps.toSpliced(index, 1) })}
    />
  ));
}

type EarlierStepProps = {
  recipes: readonly RecipeDescription[];
  step: DraftStep;
  title: string;
  /** Path of the step's recipe in the request. */
  path: string;
  problems: Record<string, string>;
  onChange: (step: DraftStep) => void;
  /** Undefined for the first step. */
  onMoveUp: (() => void) | undefined;
  onRemove: () => void;
};

function EarlierStepSection({ recipes, step, title, path, problems, onChange, onMoveUp, onRemove }: EarlierStepProps) {
  const { recipe, name = '' } = step;
  const buttons = (
    <Group gap={4} wrap="nowrap">
      <ItemAction Icon={ArrowUp} label={`Move ${title} up`} disabled={onMoveUp === undefined} onClick={onMoveUp} />
      <ItemAction Icon={Trash2} label={`Remove ${title}`} onClick={onRemove} />
    </Group>
  );
  return (
    <Section title={title} actions={buttons}>
      <Stack gap="lg">
        <RecipeSelect
          label={`Recipe of ${title.toLowerCase()}`}
          recipes={recipes}
          chosen={recipe}
          error={problems[`${path}.name`]}
          onChoose={(next) => onChange({ ...step, ...newStep(next) })}
        />
        <Parameters
          step={step}
          path={path}
          problems={problems}
          onChange={(parameters) => onChange({ ...step, parameters })}
        />
        <TextInput
          label="Keep result as"
          description="A name in lower-case letters, digits and hyphens. Leave empty if only the next step needs the result."
          inputWrapperOrder={inputWrapperOrder}
          value={name}
          error={problems[path.replace(/recipe$/, 'name')]}
          onChange={({ currentTarget: { value } }) => onChange({ ...step, name: value === '' ? undefined : value })}
        />
      </Stack>
    </Section>
  );
}
