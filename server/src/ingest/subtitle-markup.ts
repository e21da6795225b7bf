/** Tags that carry meaning. Decorative tags are removed. */
const KEPT = new Set(['b', 'i', 'u'])

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': '’',
  '&nbsp;': '\u00A0',
  '&lrm;': '\u200E',
  '&rlm;': '\u200F',
}

/**
 * Makes the payload of a WebVTT cue from the text of a subtitle file: balanced `<b>`, `<i>` and `<u>`, and escaped
 * text. Removes all other tags, all ASS overrides, control characters, and characters that change the text
 * direction.
 */
export function sanitiseCueText(text: string): string {
  const open: string[] = []
  let payload = ''
  for (const piece of text.replaceAll(/\{\\[^{}]*\}/g, '').split(/(<\/?[a-z0-9][^<>]*>)/i)) {
    const tag = /^<(\/?)([a-z0-9]+)[^<>]*>$/i.exec(piece)
    if (tag === null) {
      payload += escapeText(piece)
      continue
    }
    const name = (tag[2] ?? '').toLowerCase()
    if (!KEPT.has(name)) continue
    if (tag[1] === '') {
      if (open.includes(name)) continue
      open.push(name)
      payload += `<${name}>`
    } else {
      while (open.includes(name)) payload += `</${open.pop()}>`
    }
  }
  while (open.length > 0) payload += `</${open.pop()}>`
  return payload
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

function escapeText(text: string): string {
  return text
    .replaceAll(/&(?:amp|lt|gt|quot|apos|nbsp|lrm|rlm);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/[^\P{Cc}\n]|[\u202A-\u202E\uFEFF\uFFFD]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
