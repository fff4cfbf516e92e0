/** The value of a text field or a select, and its listener. */
export function typed(value: string, set: (text: string) => void) {
  return { value, onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value) };
}

/** The state of a checkbox or a switch, and its listener. */
export function ticked(checked: boolean, set: (checked: boolean) => void) {
  return {
    checked,
    onChange: ({ currentTarget }: { currentTarget: { checked: boolean } }) => set(currentTarget.checked),
  };
}
