import { Box, Group, Stack } from '@mantine/core';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { SmallButton } from '../ui/action-button.tsx';
import { FileDropZone } from './file-inputs.tsx';
import { ItemAction, movedUp } from './list-actions.tsx';
import classes from './new-job.module.css';
import { isSourceSet, type Source } from './source.ts';
import { UrlField } from './url-field.tsx';

type Props = {
  sources: readonly Source[];
  minSources: number;
  maxSources: number;
  /** The error of an input by its index from 0. */
  errorOf: (index: number) => string | undefined;
  onChange: (sources: readonly Source[]) => void;
};

/** The inputs of a recipe that joins several, in order. */
export function MultiSourceInput({ sources, minSources, maxSources, errorOf, onChange }: Props) {
  const replace = (index: number, source: Source) => onChange(sources.with(index, source));
  const remove = (index: number) => onChange(sources.toSpliced(index, 1));
  const moveUp = (index: number) => onChange(movedUp(sources, index));
  const drop = (files: File[]) => {
    const all = [...sources.filter(isSourceSet), ...files].slice(0, maxSources);
    onChange([...all, ...Array.from({ length: Math.max(0, minSources - all.length) }, () => '')]);
  };
  return (
    <Stack gap="md">
      <FileDropZone multiple onDrop={drop} />
      <ol className={classes.sources}>
        {sources.map((source, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: inputs are identified by position only.
          <li key={index}>
            <Box flex={1} miw={0}>
              <UrlField
                label={`Input ${index + 1}`}
                error={errorOf(index)}
                required={false}
                value={source}
                onChange={(next) => replace(index, next)}
              />
            </Box>
            <Group gap={4} wrap="nowrap" className={classes.moves}>
              <ItemAction
                Icon={ArrowUp}
                label={`Move input ${index + 1} up`}
                disabled={index === 0}
                onClick={() => moveUp(index)}
              />
              <ItemAction
                Icon={Trash2}
                label={`Remove input ${index + 1}`}
                disabled={sources.length <= minSources}
                onClick={() => remove(index)}
              />
            </Group>
          </li>
        ))}
      </ol>
      <SmallButton
        Icon={Plus}
        style={{ alignSelf: 'flex-start' }}
        disabled={sources.length >= maxSources}
        onClick={() => onChange([...sources, ''])}
      >
        Add input
      </SmallButton>
    </Stack>
  );
}
