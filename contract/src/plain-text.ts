import type { Inline } from './rich-text.ts'

/** The text of inline content, without what is said about it. */
export function plainText(content: readonly Inline[]): string {
  return content
    .map((part) => (part.kind === 'break' ? ' ' : 'text' in part ? part.text : plainText(part.content)))
    .join('')
}
