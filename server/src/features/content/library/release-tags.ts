/** Finds release tags in file names: resolution, source, codec and audio, as in `1080p.WEB-DL.DDP5.1.x264-GROUP`. */

const RESOLUTION = '(?:480|540|576|720|1080|1440|2160|4320)[ip]'
const SOURCE =
  'WEB-?DL|WEB-?Rip|(?:UHD-?)?Blu-?Ray|B[DR]-?Rip|BDRemux|REMUX|HDTV(?:-?Rip)?|[PS]DTV|DVD-?Rip|DVD[59]'
const CODEC = '[xh][ .]?26[456]|HEVC|XviD|DivX'
/** Tags that may also be words of a title. */
const AMBIGUOUS = 'WEB|4K|8K|UHD'
const AUDIO = '(?:DDP?|DD\\+|AAC|E?AC3|DTS(?:-?HD)?(?:[ .-]?MA)?|TrueHD|Atmos|FLAC)(?:[ .]?[257][ .][01])?'
const OTHER = `HDR(?:10)?\\+?|DV|DoVi|SDR|F?HD|SD|DVD|AVC|AV1|(?:8|10|12)[ -]?bits?|[257][ .][01]|${AUDIO}`

const isolated = (tags: string): string => `(?<![\\p{L}\\p{N}])(?:${tags})(?![\\p{L}\\p{N}])`

/** An ambiguous word counts as a tag in a bracket of its own. */
const CERTAIN = new RegExp(
  `${isolated(`${RESOLUTION}|${SOURCE}|${CODEC}`)}|(?<=[([{])(?:${AMBIGUOUS})(?![\\p{L}\\p{N}])`,
  'iu',
)

/**
 * Words before an unambiguous tag that are tags too. They count only as written here: `FRENCH` is a tag, `The French` is
 * a title.
 */
const LEADING =
  /(?<=^|[\s._([{-])(?:WEB|4K|8K|UHD|HDR|MULTi|MULTI|(?:TRUE|SUB)?FRENCH|VOSTFR|VF[FQI2]?|GERMAN|ENGLISH|SPANISH|iTALiAN|ITALIAN|[Gg]erman[ .]DL|(?<=[._])web|PROPER|REPACK|INTERNAL|AMZN|NF|DSNP|ATVP|HMAX)[\s._-]+$/u

const KNOWN = new RegExp(isolated([RESOLUTION, SOURCE, CODEC, AMBIGUOUS, OTHER].join('|')), 'giu')
const GROUP = /(?<=[xh][ .]?26[456]|HEVC|XviD|DivX)-[a-z\d]+\s*$/i

/** A bracket that the tags close, and separators. */
const END = /[\s._-]*(?:[([{][^)\]}]*)?$/

/** Returns a name before its release tags, and from them on. Without tags, the second part is empty. */
export function splitAtTags(name: string): [before: string, tags: string] {
  let at = CERTAIN.exec(name)?.index ?? name.length
  if (at < name.length)
    for (let leading = LEADING.exec(name.slice(0, at)); leading; leading = LEADING.exec(name.slice(0, at)))
      at = leading.index
  const before = at < name.length ? name.slice(0, at).replace(END, '') : name
  return [before, name.slice(before.length)]
}

/** Returns whether a text names nothing but the quality of a video, and so does not name an edition. */
export function isQuality(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text.replace(GROUP, '').replaceAll(KNOWN, ' '))
}

/** Returns the number of lines of the picture in a text with release tags; 0 if it has none. */
export function linesIn(text: string): number {
  const lines = new RegExp(isolated(RESOLUTION), 'iu').exec(text)
  if (lines) return Number.parseInt(lines[0], 10)
  return new RegExp(isolated('4K|UHD'), 'iu').test(text) ? 2160 : 0
}
