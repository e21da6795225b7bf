import { isUtf8 } from 'node:buffer'
import { XmltvError } from './xmltv-error.ts'

const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e

/** Number of bytes in which the declaration of the encoding is searched. */
const BEGIN = 512

/**
 * Decodes a guide chunk by chunk.
 *
 * @param onOther is called once, before the chunk with the first text that is not valid UTF-8 although it should
 * be. `lines` is the number of lines in the chunk before that text.
 * @throws XmltvError for an unknown encoding
 */
export async function* decodeXmltv(
  bytes: AsyncIterable<Buffer>,
  onOther: (lines: number) => void,
): AsyncGenerator<string> {
  let decode: Decode | undefined
  let begin: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (decode) {
      yield decode(chunk, false)
      continue
    }
    begin = Buffer.concat([begin, chunk])
    if (begin.length < BEGIN) continue
    decode = decoderOf(begin, onOther)
    yield decode(begin, false)
  }
  yield decode ? decode(Buffer.alloc(0), true) : decoderOf(begin, onOther)(begin, true)
}

/** Decodes the next bytes. Incomplete bytes at the end are decoded together with the following bytes. */
type Decode = (bytes: Buffer, isLast: boolean) => string

function decoderOf(begin: Buffer, onOther: (lines: number) => void): Decode {
  const decoder = textDecoderOf(begin)
  if (decoder.encoding === 'utf-8') return decodeMixed(onOther)
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast })
}

/**
 * Chooses the encoding: by the byte order mark, or else by a zero byte next to the first character, or else by the
 * declaration. The default is UTF-8.
 */
function textDecoderOf(begin: Buffer): TextDecoder {
  if (begin.length === 0) throw new XmltvError(1, 'It is empty.')
  if (begin[0] === 0xff && begin[1] === 0xfe) return new TextDecoder('utf-16le')
  if (begin[0] === 0xfe && begin[1] === 0xff) return new TextDecoder('utf-16be')
  if (begin[0] === LESS_THAN && begin[1] === 0) return new TextDecoder('utf-16le')
  if (begin[0] === 0 && begin[1] === LESS_THAN) return new TextDecoder('utf-16be')
  const declared = /^\s*(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    begin.toString('latin1', 0, 300),
  )
  const marked = begin[0] === 0xef && begin[1] === 0xbb && begin[2] === 0xbf
  // Some programs declare UTF-16, because their text had this encoding in memory. The file itself is not in
  // UTF-16, because its declaration was readable byte by byte.
  const isWide = /^(?:utf|ucs|iso-10646-ucs)-?(?:16|32|2|4)/i.test(declared?.[1] ?? '')
  try {
    return new TextDecoder(marked || isWide ? 'utf-8' : (declared?.[1] ?? 'utf-8'))
  } catch (error) {
    if (error instanceof RangeError) throw new XmltvError(1, `Its encoding ${declared?.[1]} is not known.`)
    throw error
  }
}

/** Maximum number of bytes that wait for the end of a tag. Only a malicious file has longer tags. */
const LONGEST_WAIT = 1_000_000

/**
 * Decodes UTF-8. If the text between two tags is not valid UTF-8, decodes it as Windows-1252: some programs write
 * Windows-1252 but declare UTF-8.
 */
function decodeMixed(onOther: (lines: number) => void): Decode {
  const western = new TextDecoder('windows-1252')
  let waiting: Buffer = Buffer.alloc(0)
  let isTold = false
  return (bytes, isLast) => {
    const all = Buffer.concat([waiting, bytes])
    // Decode only up to the last end of a tag, because no multi-byte character crosses it.
    const end = isLast || all.length > LONGEST_WAIT ? all.length : all.lastIndexOf(GREATER_THAN) + 1
    waiting = all.subarray(end)
    const whole = all.subarray(0, end)
    if (isUtf8(whole)) return whole.toString('utf8')
    let text = ''
    for (let at = 0; at < whole.length; ) {
      const close = whole.indexOf(GREATER_THAN, at)
      const piece = whole.subarray(at, close === -1 ? whole.length : close + 1)
      const isOther = !isUtf8(piece)
      if (isOther && !isTold) onOther(text.split('\n').length - 1)
      isTold ||= isOther
      text += isOther ? western.decode(piece) : piece.toString('utf8')
      at += piece.length
    }
    return text
  }
}
