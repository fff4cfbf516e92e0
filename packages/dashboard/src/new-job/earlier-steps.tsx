import { Group, Stack, TextInput } from '@mantine/core';
import { ArrowUp, Trash2 } from 'lucide-react';
import { Section } from '../ui/section.tsx';
import { typed } from '../ui/typed.ts';
import { acceptsMultipleInputs, type Draft, type DraftStep, newStep, stepRecipePath } from './draft.ts';
import { inputWrapperOrder, type RecipeSectionProps } from './field-props.ts';
import { ItemAction, movedUp } from './list-actions.tsx';
import { Parameters } from './parameters.tsx';
import { RecipeSelect } from './recipe-select.tsx';

export function EarlierSteps({ recipes, draft: { earlierSteps }, problems, onChange }: RecipeSectionProps) {
  const change = (next: Draft['earlierSteps']) => onChange({ earlierSteps: next });
  return earlierSteps.map((step, index) => {
    const title = `Step ${index + 1}`;
    const path = stepRecipePath(index, earlierSteps.length + 1);
    const replace = (changes: Partial<DraftStep>) => change(earlierSteps.with(index, { ...step, ...changes }));
    const moveUp = () => change(movedUp(earlierSteps, index));
    const buttons = (
      <Group gap={4} wrap="nowrap">
        <ItemAction Icon={ArrowUp} label={`Move ${title} up`} disabled={index === 0} onClick={moveUp} />
        <ItemAction Icon={Trash2} label={`Remove ${title}`} onClick={() => change(earlierSteps.toSpliced(index, 1))} />
      </Group>
    );
    return (
      <Section key={step.id} title={title} actions={buttons}>
        <Stack gap="lg">
          <RecipeSelect
            label={`Recipe of ${title.toLowerCase()}`}
            recipes={recipes.filter((recipe) => !acceptsMultipleInputs(recipe))}
            chosen={step.recipe}
            error={problems[`${path}.name`]}
            onChoose={(next) => replace(newStep(next))}
          />
          <Parameters step={step} path={path} problems={problems} onChange={(parameters) => replace({ parameters })} />
          <TextInput
            label="Keep result as"
            description="A name in lower-case letters, digits and hyphens. Leave empty if only the next step needs the result."
            inputWrapperOrder={inputWrapperOrder}
            error={problems[path.replace(/recipe$/, 'name')]}
            {...typed(step.name ?? '', (text) => replace({ name: text || undefined }))}
          />
        </Stack>
      </Section>
    );
  });
}
