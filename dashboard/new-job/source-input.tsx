import { TextInput } from '@mantine/core';
import { ChosenFile, FileDropZone } from './file-inputs.tsx';
import type { Source } from './source.ts';

type Props = { source: Source; error: string | undefined; onChange: (source: Source) => void };

/** The input of a job: a file to upload, or a URL. */
export function SourceInput({ source, error, onChange }: Props) {
  if (source instanceof File)
    return <ChosenFile file={source} label="Source" onRemove={() => onChange('')} />;
  return (
    <>
      <FileDropZone multiple={false} onDrop={([file]) => file !== undefined && onChange(file)} />
      <TextInput
        mt="md"
        type="url"
        label="Or paste a URL"
        placeholder="https://example.com/video.mp4"
        value={source}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
