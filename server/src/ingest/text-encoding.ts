import { isUtf8 } from 'node:buffer'

/**
 * Usual encodings of text files that are not Unicode, by ISO 639-2/T code, some with a script. All other languages use
 * the Western European code page of Windows.
 */
const CODE_PAGES: Readonly<Record<string, string>> = {
  ara: 'windows-1256',
  bel: 'windows-1251',
  bos: 'windows-1250',
  bul: 'windows-1251',
  ces: 'windows-1250',
  ell: 'windows-1253',
  est: 'windows-1257',
  fas: 'windows-1256',
  heb: 'windows-1255',
  hrv: 'windows-1250',
  hun: 'windows-1250',
  jpn: 'shift_jis',
  kor: 'euc-kr',
  lav: 'windows-1257',
  lit: 'windows-1257',
  mkd: 'windows-1251',
  pol: 'windows-1250',
  ron: 'windows-1250',
  rus: 'windows-1251',
  slk: 'windows-1250',
  slv: 'windows-1250',
  sqi: 'windows-1250',
  srp: 'windows-1251',
  tha: 'windows-874',
  tur: 'windows-1254',
  ukr: 'windows-1251',
  vie: 'windows-1258',
  zho: 'gb18030',
  'zho-Hant': 'big5',
}

/**
 * Decodes a subtitle or metadata file: UTF-8, UTF-16 with or without a byte order mark, or the usual encoding of
 * `language`. Converts line ends to `\n`.
 *
 * @param script ISO 15924 code of the script, such as `Hant`, if it is known
 */
export function decodeText(data: Buffer, language: string, script = ''): string {
  return new TextDecoder(encodingOf(data, language, script)).decode(data).replaceAll(/\r\n?/g, '\n')
}

/** Returns the encoding in which {@link decodeText} reads a file: a label of the Encoding Standard. */
export function encodingOf(data: Buffer, language: string, script = ''): string {
  if (data[0] === 0xff && data[1] === 0xfe) return 'utf-16le'
  if (data[0] === 0xfe && data[1] === 0xff) return 'utf-16be'
  // In UTF-16, every other byte of digits, colons and line ends is zero. Timing lines consist mostly of these.
  const sample = data.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) {
    const side = index % 2
    if (byte === 0) zeros[side] = (zeros[side] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 5) return 'utf-16le'
  if (even > sample.length / 5) return 'utf-16be'
  if (isUtf8(data)) return 'utf-8'
  return CODE_PAGES[`${language}-${script}`] ?? CODE_PAGES[language] ?? 'windows-1252'
}
