// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CheckField } from './check-field.tsx'
import { focusInvalid } from './focus-invalid.ts'
import { SelectField } from './select-field.tsx'
import { TextField } from './text-field.tsx'

let root: Root
let form: HTMLElement

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  form = document.body.appendChild(document.createElement('div'))
  root = createRoot(form)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Fields({ faulty }: { faulty: string[] }) {
  const common = (name: string) => ({
    name,
    label: name,
    onChange: () => {},
    ...(faulty.includes(name) ? { error: 'Champ obligatoire' } : {}),
  })
  return [
    createElement(TextField, { key: 1, ...common('text'), value: '' }),
    createElement(SelectField, { key: 2, ...common('select'), value: '', options: [], placeholder: '' }),
    createElement(CheckField, { key: 3, ...common('check'), isSelected: false }),
  ]
}

const show = (...faulty: string[]) => root.render(createElement(Fields, { faulty }))

test.each([
  [['text', 'check'], 'input[name="text"]'],
  [['select', 'check'], 'button'],
  [['check'], 'input[type="checkbox"]'],
])('of the invalid fields %j, the first one gets the focus', async (faulty, selector) => {
  await act(async () => show())
  await act(async () => focusInvalid(form, () => show(...faulty)))
  expect(document.activeElement).toBe(form.querySelector(selector))
  expect(form.textContent).toContain('Champ obligatoire')
})
