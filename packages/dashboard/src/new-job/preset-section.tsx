import { NativeSelect, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { parsePresetValue } from '@media-jobs/cli/formatting';
import { useState } from 'react';
import { usePresets } from '../presets/use-presets.ts';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { type RecipeSectionProps, withValue } from './field-props.ts';

/** The choice of a preset in place of recipes, with its parameters; nothing where there are no presets. */
export function PresetSection({ recipes, draft, problems, onChange }: RecipeSectionProps) {
  const { preset: chosen, sources } = draft;
  const { data = [] } = usePresets();
  if (data.length === 0) return null;
  const found = data.find(({ label }) => label === chosen?.preset);
  const presets = data.filter((each) => !each.retired || each === found);
  const choose = (label: string) =>
    onChange({
      preset: label === '' ? undefined : { preset: label, parameters: {} },
      sources: label === '' ? sources : sources.slice(0, 1),
    });
  const set = (path: string, text: string) => {
    if (found === undefined) return;
    const { request, label } = found;
    const schemaOf = (name: string) => recipes.find((recipe) => recipe.name === name)?.parameters;
    const value = text === '' ? undefined : parsePresetValue({ request, schemaOf }, path, text);
    onChange({ preset: { preset: label, parameters: withValue(chosen?.parameters ?? {}, path, value) } });
  };
  return (
    <Section title="Preset">
      <Stack gap="md">
        <NativeSelect
          label="Preset"
          data={[
            { value: '', label: 'None: choose a recipe' },
            ...presets.map(({ label, title, draft: isDraft }) => ({
              value: label,
              label: `${title} (${label}${isDraft ? ', draft' : ''})`,
            })),
          ]}
          error={problems.preset}
          {...typed(chosen?.preset ?? '', choose)}
        />
        {found?.description ? <Note>{found.description}</Note> : null}
        {found?.allow.map((path) => (
          <ParameterText
            key={`${found.label} ${path}`}
            label={path}
            description={describe(found.request, path)}
            placeholder={textOf(valueAt(found.request, path))}
            initial={textOf(chosen?.parameters[path])}
            error={problems[`parameters.${path}`]}
            onText={(text) => set(path, text)}
          />
        ))}
      </Stack>
    </Section>
  );
}

type ParameterTextProps = TextInputProps & { initial: string; onText: (text: string) => void };

/** The text of a parameter as it is typed, whatever value it means: `1.` on the way to `1.5` is 1. */
function ParameterText({ initial, onText, ...props }: ParameterTextProps) {
  const [text, setText] = useState(initial);
  const change = (next: string) => {
    setText(next);
    onText(next);
  };
  return <TextInput {...props} {...typed(text, change)} />;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the preset has at a path. */
function valueAt(request: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((holder, name) => (holder as Record<string, unknown> | undefined)?.[name], request);
}

/** What a parameter of a command takes, such as `0 to 100`. */
function describe(request: Record<string, unknown>, path: string): string | undefined {
  const { type, min, max, values, description } = (valueAt(
    request,
    path.replace('recipe.', 'recipe.command.parameters.'),
  ) ?? {}) as { type?: string; min?: number; max?: number; values?: string[]; description?: string };
  if (type === undefined) return undefined;
  const allowed = values?.join(', ') ?? (min === undefined ? 'Text' : `${min} to ${max}`);
  return description === undefined ? allowed : `${description} (${allowed})`;
}
