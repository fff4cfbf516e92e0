import { Box, Group, Stack } from '@mantine/core';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { SmallButton } from '../ui/action-button.tsx';
import { inputCountRange } from './draft.ts';
import type { SectionProps } from './field-props.ts';
import { FileDropZone } from './file-inputs.tsx';
import { ItemAction, movedUp } from './list-actions.tsx';
import classes from './new-job.module.css';
import { isSourceSet, type Source } from './source.ts';
import { UrlField } from './url-field.tsx';

/** The inputs of a recipe that joins several, in order. */
export function MultiSourceInput({ draft: { recipe, sources }, problems, onChange }: SectionProps) {
  const { min, max } = inputCountRange(recipe);
  const change = (next: readonly Source[]) => onChange({ sources: next });
  const drop = (files: File[]) => {
    const all = [...sources.filter(isSourceSet), ...files].slice(0, max);
    change([...all, ...Array.from({ length: Math.max(0, min - all.length) }, () => '')]);
  };
  return (
    <Stack gap="md">
      <FileDropZone multiple onDrop={drop} />
      <Stack component="ol" gap={12} className={classes.sources}>
        {sources.map((source, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: inputs are identified by position only.
          <li key={index}>
            <Box flex={1} miw={0}>
              <UrlField
                label={`Input ${index + 1}`}
                error={inputProblem(problems, `inputs.${index}`)}
                required={false}
                value={source}
                onChange={(next) => change(sources.with(index, next))}
              />
            </Box>
            <Group gap={4} wrap="nowrap" className={classes.moves}>
              <ItemAction
                Icon={ArrowUp}
                label={`Move input ${index + 1} up`}
                disabled={index === 0}
                onClick={() => change(movedUp(sources, index))}
              />
              <ItemAction
                Icon={Trash2}
                label={`Remove input ${index + 1}`}
                disabled={sources.length <= min}
                onClick={() => change(sources.toSpliced(index, 1))}
              />
            </Group>
          </li>
        ))}
      </Stack>
      <SmallButton
        Icon={Plus}
        style={{ alignSelf: 'flex-start' }}
        disabled={sources.length >= max}
        onClick={() => change([...sources, ''])}
      >
        Add input
      </SmallButton>
    </Stack>
  );
}

/** The problem of an input, whichever of its fields has it. */
export function inputProblem(problems: Record<string, string>, path: string): string | undefined {
  return problems[`${path}.url`] ?? problems[`${path}.key`] ?? problems[`${path}.storageProviderId`];
}
