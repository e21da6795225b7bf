import { inflateSync } from 'node:zlib'

/**
 * Returns the text of a PDF that `pdfkit` wrote with a single-byte font. Each drawing call becomes a line, in
 * drawing order.
 */
export function pdfText(file: Buffer): string {
  const written = file.toString('latin1')
  const lines: string[] = []
  // The last byte of the compressed data may be a carriage return, so none is part of the line end.
  for (const [, stream = ''] of written.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    const bytes = Buffer.from(stream, 'latin1')
    let content: string
    try {
      content = inflateSync(bytes).toString('latin1')
    } catch {
      continue
    }
    for (const [, shown = ''] of content.matchAll(/\[([^\]]*)\] TJ/g)) {
      const hex = [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, part]) => part).join('')
      lines.push(new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
    }
  }
  return lines.join('\n').replaceAll('\u00a0', ' ')
}
