import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { FileDropZone } from './file-drop-zone.tsx';
import classes from './new-job.module.css';
import { isSourceSet, type Source } from './source.ts';
import { UrlField } from './url-field.tsx';

type Props = {
  sources: readonly Source[];
  least: number;
  most: number;
  /** By the place of the input, from 0. */
  errorOf: (index: number) => string | undefined;
  onChange: (sources: readonly Source[]) => void;
};

/** The inputs of a recipe that joins several, in the order in which it takes them. */
export function MultiSourceInput({ sources, least, most, errorOf, onChange }: Props) {
  const put = (index: number, source: Source) => onChange(sources.with(index, source));
  const remove = (index: number) => onChange(sources.toSpliced(index, 1));
  const raise = (index: number) => onChange(raised(sources, index));
  const drop = (files: File[]) => {
    const all = [...sources.filter(isSourceSet), ...files].slice(0, most);
    onChange([...all, ...Array.from({ length: Math.max(0, least - all.length) }, () => '')]);
  };
  return (
    <Stack gap="md">
      <FileDropZone multiple onDrop={drop} />
      <ol className={classes.sources}>
        {sources.map((source, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an input is known by its place alone.
          <li key={index}>
            <div className={classes.source}>
              <UrlField
                label={`Input ${index + 1}`}
                error={errorOf(index)}
                required={false}
                value={source}
                onChange={(next) => put(index, next)}
              />
            </div>
            <Group gap={4} wrap="nowrap" className={classes.moves}>
              <Move label={`Move input ${index + 1} up`} disabled={index === 0} onClick={() => raise(index)}>
                <ArrowUp size={16} aria-hidden />
              </Move>
              <Move
                label={`Remove input ${index + 1}`}
                disabled={sources.length <= least}
                onClick={() => remove(index)}
              >
                <Trash2 size={16} aria-hidden />
              </Move>
            </Group>
          </li>
        ))}
      </ol>
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Plus size={14} aria-hidden />}
        disabled={sources.length >= most}
        onClick={() => onChange([...sources, ''])}
      >
        Add an input
      </Button>
    </Stack>
  );
}

type MoveProps = { label: string; disabled: boolean; onClick: () => void; children: React.ReactNode };

function Move({ label, ...rest }: MoveProps) {
  return <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={label} {...rest} />;
}

function raised(sources: readonly Source[], index: number): Source[] {
  const [moved] = sources.slice(index, index + 1);
  return moved === undefined ? [...sources] : sources.toSpliced(index, 1).toSpliced(index - 1, 0, moved);
}
