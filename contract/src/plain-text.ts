import type { Inline } from './rich-text.ts'

/** Returns the text of inline content, without its formatting. */
export function plainText(content: readonly Inline[]): string {
  return content
    .map((part) => (part.kind === 'break' ? ' ' : 'text' in part ? part.text : plainText(part.content)))
    .join('')
}
