import { Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { maxOutputs } from '@media-jobs/core/api';
import { Plus, Trash2 } from 'lucide-react';
import { SmallButton } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { acceptsMultipleInputs, addOutput, type DraftOutput, newStep, outputRecipePath } from './draft.ts';
import { inputWrapperOrder, type RecipeSectionProps, type ValueProps } from './field-props.ts';
import { ItemAction } from './list-actions.tsx';
import { RecipeFields } from './recipe-fields.tsx';
import { RecipeSelect } from './recipe-select.tsx';
import { nameField } from './validate-draft.ts';

/** The outputs of a job besides that of its recipe, and a button that adds one. */
export function FurtherOutputs(section: RecipeSectionProps) {
  const { recipes, draft, onChange } = section;
  const { outputs, earlierSteps } = draft;
  const [first] = recipes;
  const canAdd = earlierSteps.length === 0 && outputs.length + 1 < maxOutputs && !acceptsMultipleInputs(draft.recipe);
  return (
    <>
      {outputs.map((output, index) => (
        <OutputSection key={output.id} {...section} output={output} index={index} />
      ))}
      {canAdd ? (
        <Group gap="sm">
          <SmallButton Icon={Plus} onClick={() => first && onChange({ outputs: addOutput(draft, first) })}>
            Add output
          </SmallButton>
          <Note>Another result of the same source, such as a poster.</Note>
        </Group>
      ) : null}
    </>
  );
}

/** The name of one of several outputs. */
export function NameInput({ value, error, onChange }: ValueProps<string>) {
  return (
    <TextInput
      label="Name"
      mb="md"
      description="The result has this name in the job and in its webhook."
      inputWrapperOrder={inputWrapperOrder}
      error={error}
      {...typed(value, onChange)}
    />
  );
}

type OutputSectionProps = RecipeSectionProps & { output: DraftOutput; index: number };

function OutputSection({ recipes, draft, problems, onChange, output, index }: OutputSectionProps) {
  const { outputs } = draft;
  const { name, recipe, from = '' } = output;
  const path = outputRecipePath(name);
  const replace = (changes: Partial<DraftOutput>) =>
    onChange({ outputs: outputs.with(index, { ...output, ...changes }) });
  const remove = () => onChange({ outputs: outputs.toSpliced(index, 1) });
  const others = [draft.name, ...outputs.map((each) => each.name)].filter((each) => each !== name);
  return (
    <Section
      title={`Output ${index + 2}`}
      actions={<ItemAction Icon={Trash2} label={`Remove output ${name}`} onClick={remove} />}
    >
      <Stack gap="lg">
        <NameInput value={name} error={problems[nameField(index + 1)]} onChange={(next) => replace({ name: next })} />
        <NativeSelect
          label="Made from"
          data={[{ value: '', label: 'The source' }, ...others]}
          error={problems[`outputs.${name}.from`]}
          {...typed(from, (chosen) => replace({ from: chosen || undefined }))}
        />
        <RecipeSelect
          label={`Recipe of ${name}`}
          recipes={recipes.filter((each) => !acceptsMultipleInputs(each))}
          chosen={recipe}
          error={problems[`${path}.name`]}
          onChoose={(next) => replace({ ...newStep(next), format: next.outputFormats[0] ?? 'mp4' })}
        />
        <RecipeFields output={output} isOneOfSeveral path={path} problems={problems} onChange={replace} />
      </Stack>
    </Section>
  );
}
