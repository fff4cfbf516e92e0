import { TextInput } from '@mantine/core';
import { ChosenFile, FileDropZone } from './file-inputs.tsx';
import { type Source, storedSourceOf } from './source.ts';
import { ChooseStoredSource, StoredSourceInput } from './stored-source.tsx';

type Props = { source: Source; error: string | undefined; onChange: (source: Source) => void };

/** The input of a job: a file to upload, a URL, or an object of a storage provider. */
export function SourceInput({ source, error, onChange }: Props) {
  if (source instanceof File)
    return <ChosenFile file={source} label="Source" error={error} onRemove={() => onChange('')} />;
  const stored = storedSourceOf(source);
  if (stored !== undefined) return <StoredSourceInput source={stored} error={error} onChange={onChange} />;
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
      <ChooseStoredSource onChange={onChange} />
    </>
  );
}
