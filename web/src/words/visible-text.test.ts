import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '..')

/** Attributes whose text a person sees or hears. */
const VISIBLE = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'description',
  'label',
  'placeholder',
  'title',
])

interface Node {
  type: string
  start: number
  value?: unknown
  name?: { name?: string }
}

test.each(globSync('**/*.tsx', { cwd: WEB }))('%s shows no text that is not of the catalogues', (file) => {
  const code = readFileSync(join(WEB, file), 'utf8')
  const found: string[] = []
  visit(parseAst(code, { lang: 'tsx' }), (node) => {
    const text = textOf(node)
    // Only texts with two letters in a row count. Units, signs and single letters are the same in every language.
    if (text !== undefined && /\p{L}{2}/u.test(text)) {
      found.push(`${code.slice(0, node.start).split('\n').length}: ${text.trim()}`)
    }
  })
  expect(found).toEqual([])
})

/** Returns the literal text that a part of a screen shows. */
function textOf(node: Node): string | undefined {
  if (node.type === 'JSXText' && typeof node.value === 'string') return node.value
  if (node.type !== 'JSXAttribute' || !VISIBLE.has(node.name?.name ?? '')) return undefined
  const { value } = node
  return isNode(value) && value.type === 'Literal' && typeof value.value === 'string'
    ? value.value
    : undefined
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, look)
  else if (isNode(value)) {
    look(value)
    for (const each of Object.values(value)) visit(each, look)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
