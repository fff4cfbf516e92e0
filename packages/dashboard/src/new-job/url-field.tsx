import { Button, FileButton, Group, Input, TextInput } from '@mantine/core';
import { Upload } from 'lucide-react';
import { typed } from '../ui/typed.ts';
import { inputWrapperOrder, type ValueProps } from './field-props.ts';
import { ChosenFile } from './file-inputs.tsx';
import type { Source } from './source.ts';

type Props = ValueProps<Source> & { label: string; description?: string; required: boolean };

/** A URL, or a file to upload instead. */
export function UrlField({ label, description, error, required, value, onChange }: Props) {
  const common = { label, description, error, required, inputWrapperOrder };
  if (value instanceof File) {
    return (
      <Input.Wrapper {...common} labelElement="div">
        <ChosenFile file={value} label={label} onRemove={() => onChange('')} />
      </Input.Wrapper>
    );
  }
  return (
    <TextInput
      {...common}
      type="url"
      placeholder="https://…"
      {...typed(value, onChange)}
      inputContainer={(input) => (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ flex: 1 }}>{input}</div>
          <FileButton onChange={(file) => file !== null && onChange(file)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<Upload size={14} aria-hidden />}
                aria-label={`Choose a file for ${label}`}
              >
                File
              </Button>
            )}
          </FileButton>
        </Group>
      )}
    />
  );
}
