import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';
import { parseList } from './parameter-value.ts';

/** Several texts or numbers, typed with commas between them. */
export function ListField({ parameter, value, error, onChange }: FieldProps) {
  const { label, description, defaultValue, required } = parameter;
  const [text, setText] = useState(() => wordsOf(value));
  return (
    <TextInput
      label={label}
      description={`${description} With commas between them.`.trim()}
      error={error}
      required={required}
      inputWrapperOrder={inputWrapperOrder}
      value={text}
      placeholder={wordsOf(defaultValue) || 'Automatic'}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(parseList(currentTarget.value, parameter));
      }}
    />
  );
}

function wordsOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : '';
}
