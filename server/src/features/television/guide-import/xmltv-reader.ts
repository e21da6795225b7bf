import { characterEntities } from 'character-entities'
import { SaxesParser } from 'saxes'
import { beginsLine, isMarkup } from './html-markup.ts'
import { decodeXmltv } from './xmltv-encoding.ts'
import { XmltvError } from './xmltv-error.ts'

/** A `<channel>` of a guide. */
export interface XmltvChannel {
  line: number
  id: string
  names: string[]
}

/** An element inside a `<programme>`, with its content. */
export interface XmltvElement {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmltvElement[]
}

/** A `<programme>` of a guide. */
export interface XmltvProgramme {
  line: number
  attributes: Record<string, string>
  elements: XmltvElement[]
}

export interface XmltvHandlers {
  channel(channel: XmltvChannel): void
  /** Returns whether the programmes of a channel are needed. The content of other programmes is not parsed. */
  wants(channelId: string, line: number): boolean
  programme(programme: XmltvProgramme): void
  /** Reports a tolerated fault. */
  remark(line: number, reason: string): void
}

const XMLTV_LIMITS = {
  /** Maximum nesting depth of elements. */
  depth: 16,
  /**
   * Maximum number of characters without an element. Longer texts, attributes or comments occur only in attacks.
   */
  characters: 2_000_000,
  /** Maximum number of characters of a text. The rest is dropped. */
  text: 10_000,
  /** Maximum number of elements of a programme. The rest is dropped. */
  elements: 400,
  /** Maximum number of tolerated XML faults. Bare ampersands do not count. */
  faults: 10_000,
  /** Maximum number of characters of a channel's id. */
  id: 500,
} as const

/**
 * Parses an XMLTV guide as a stream. Memory use does not grow with the file. Small XML faults, such as a bare `&`,
 * are tolerated and reported. A file that is truncated, malicious or not a guide is rejected.
 *
 * @returns the number of the last line.
 * @throws XmltvError
 */
export async function readXmltv(bytes: AsyncIterable<Buffer>, handlers: XmltvHandlers): Promise<number> {
  const reader = createReader(handlers)
  const onOther = (lines: number): void =>
    handlers.remark(
      reader.line() + lines,
      'Parts of it are not UTF-8; they are read as Western European letters.',
    )
  for await (const text of decodeXmltv(bytes, onOther)) reader.write(text)
  return reader.end()
}

/**
 * HTML entities, because some programs write them although XML defines only five entities. The object has no
 * prototype, so that `&constructor;` is not an entity.
 */
const HTML_ENTITIES: Record<string, string> = Object.setPrototypeOf({ ...characterEntities }, null)

const LONGEST_ENTITY = 40
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\w.-]{0,30});)/gi

/**
 * Thrown at the end tag of an element that was never opened. At such a tag, the parser has closed all open
 * elements.
 */
class StrayEndTag extends Error {
  override name = 'StrayEndTag'
}

interface Reader {
  /** Returns the number of the current line. */
  line(): number
  write(text: string): void
  /** @returns the number of the last line. */
  end(): number
}

function createReader({ channel, wants, programme, remark }: XmltvHandlers): Reader {
  /**
   * `given` counts the characters passed to the reader. `told` is the value of `given` at the last event of the
   * parser.
   */
  let given = 0
  let told = 0
  /** Names of the open elements. */
  const open: string[] = []
  /** Number of open elements that the end tag at `closingAt` closes. The tag may still turn out to be stray. */
  let closing = 0
  let closingAt = 0
  let closingLine = 0
  let ended = false
  let isRestTold = false
  let faults = 0
  let line = 0
  let lastLine = 0
  let openChannel: XmltvChannel | undefined
  let openProgramme: XmltvProgramme | undefined
  let path: XmltvElement[] = []
  let count = 0
  let held = ''
  /** Number of lines before the text of the current parser. */
  let linesBefore = 0
  /** Number of characters passed to the current parser. */
  let parsed = 0
  /** True while a new parser reopens the open elements of the previous parser. */
  let reopening = false
  let parser = createParser()

  const here = (): number => linesBefore + parser.line

  function fault(at: number, reason: string): void {
    faults++
    if (faults > XMLTV_LIMITS.faults) throw new XmltvError(at, 'It is not XML: it has too many faults.')
    remark(at, `XML fault ignored: ${reason}`)
  }

  /** Escapes bare ampersands. They are the most common fault of guides, and would make the parser fail. */
  function mended(text: string): string {
    let at = here()
    let lineEnd = text.indexOf('\n')
    return text.replace(BARE_AMPERSAND, (_, place: number) => {
      // Count the lines in one pass over the text for all ampersands.
      for (; lineEnd !== -1 && lineEnd < place; lineEnd = text.indexOf('\n', lineEnd + 1)) at++
      remark(at, 'XML fault ignored: a bare ampersand.')
      return '&amp;'
    })
  }

  function addText(text: string): void {
    told = given
    const element = path.at(-1)
    if (element && element.text.length < XMLTV_LIMITS.text)
      element.text += text.slice(0, XMLTV_LIMITS.text - element.text.length)
  }

  function openElement(name: string, attributes: Record<string, string>): void {
    told = given
    open.push(name)
    const depth = open.length
    if (depth > XMLTV_LIMITS.depth) throw new XmltvError(here(), 'Its elements are nested too deep.')
    if (depth === 1) {
      if (name !== 'tv') throw new XmltvError(here(), `Its root is <${name.slice(0, 40)}>, not <tv>.`)
      return
    }
    if (depth === 2) {
      if (name === 'channel') openChannel = { line, id: idOf(attributes.id), names: [] }
      else if (name === 'programme' && wants(idOf(attributes.channel), line)) {
        openProgramme = { line, attributes, elements: [] }
        count = 0
      }
      return
    }
    if (!(openProgramme || openChannel)) return
    if (++count > XMLTV_LIMITS.elements) return
    const around = path.at(-1)
    if (around && isMarkup(name)) {
      if (beginsLine(name)) addText('\n')
      path.push(around)
      return
    }
    const element = { name, attributes, text: '', children: [] }
    if (around) around.children.push(element)
    else if (openProgramme) openProgramme.elements.push(element)
    path.push(element)
  }

  /** Reports content after the end of the guide, such as a second guide. Reports it only once. */
  function tellRest(): void {
    if (!isRestTold) remark(lastLine, 'Content after the end of the guide is left out.')
    isRestTold = true
  }

  function closeElement(): void {
    told = given
    open.pop()
    const depth = open.length
    if (depth === 0) {
      ended = true
      lastLine = closingLine
    }
    if (depth === 1) {
      if (openProgramme) programme(openProgramme)
      else if (openChannel) channel(openChannel)
      openProgramme = openChannel = undefined
      path = []
      count = 0
    } else if (depth > 1 && path.length === depth - 1) {
      const element = path.pop()
      if (element && openChannel && element.name === 'display-name' && element !== path.at(-1))
        openChannel.names.push(element.text.trim())
    }
  }

  /** Closes the elements of the last end tag, which is now known not to be stray. */
  function settle(): void {
    if (closing > 1) fault(closingLine, 'unexpected close tag.')
    for (; closing > 0; closing--) closeElement()
  }

  function createParser(): SaxesParser {
    // Use at most seven events. With an eighth `on`, V8 turns the parser into a slow dictionary object, and
    // reading takes four times as long.
    const made = new SaxesParser({ position: true })
    made.ENTITIES = HTML_ENTITIES
    made.on('doctype', (text) => {
      // Guides name a document type, which is never fetched. A document type with entity definitions may be a
      // decompression bomb.
      if (text.includes('['))
        throw new XmltvError(here(), 'Its document type defines entities, which is not allowed.')
      told = given
    })
    made.on('error', (error) => {
      if (reopening) return
      const reason = error.message.replace(/^[^:]*:?\d+:\d+: /, '')
      // Saxes reports this fault for each further element that an end tag closes. It reports the fault again if
      // the tag is stray. So `settle` reports it once.
      if (reason === 'unexpected close tag.') return
      const isStray = reason.startsWith('unmatched closing tag')
      if (isStray && closingAt === made.position) closing = 0
      settle()
      if (ended) return
      fault(here(), reason)
      if (isStray) throw new StrayEndTag()
    })
    made.on('opentagstart', () => {
      settle()
      // Line number of the element's start. Its attributes may be on later lines.
      line = here()
    })
    made.on('opentag', ({ name, attributes }) => {
      if (ended) tellRest()
      // The cast is safe: without namespaces, Saxes returns attributes as plain strings.
      else if (!reopening) openElement(name, attributes as Record<string, string>)
    })
    made.on('text', (text) => {
      settle()
      addText(text)
    })
    // Ampersands in CDATA are literal, so undo the escapes that `mended` has inserted.
    made.on('cdata', (text) => {
      settle()
      addText(text.replaceAll('&amp;', '&'))
    })
    made.on('closetag', () => {
      if (ended) return
      // No event occurs between two adjacent end tags, so settle the first tag here.
      if (closingAt !== made.position) settle()
      closing++
      closingAt = made.position
      closingLine = here()
    })
    return made
  }

  /** Passes text to the parser. After a stray end tag, a new parser continues with the same open elements. */
  function parse(text: string): void {
    let rest = text
    for (;;) {
      try {
        parser.write(rest)
        settle()
        parsed += rest.length
        return
      } catch (error) {
        if (!(error instanceof StrayEndTag)) throw error
        rest = rest.slice(parser.position - parsed)
        parsed = 0
        linesBefore += parser.line - 1
        parser = createParser()
        reopening = true
        const tags = open.map((name) => `<${name}>`).join('')
        parser.write(tags)
        parsed = tags.length
        reopening = false
      }
    }
  }

  return {
    line: here,
    write: (text) => {
      if (ended) {
        if (/<\w/.test(text)) tellRest()
        return
      }
      given += text.length
      const whole = held + text
      // Hold back the beginning of a possible entity, because the next text may contain its end.
      const cut = whole.lastIndexOf('&')
      const waits = cut !== -1 && whole.length - cut < LONGEST_ENTITY && !whole.includes(';', cut)
      held = waits ? whole.slice(cut) : ''
      parse(mended(waits ? whole.slice(0, cut) : whole))
      if (given - told > XMLTV_LIMITS.characters)
        throw new XmltvError(here(), 'It contains a text without an end, which is not allowed.')
    },
    end: () => {
      if (!ended && held !== '') parse(mended(held))
      if (!ended)
        throw new XmltvError(
          here(),
          open.length === 0 ? 'It is not a guide (XMLTV).' : 'It ends in the middle.',
        )
      return lastLine
    },
  }
}

/** Returns an id without surrounding blanks. Returns an empty id if it is too long. */
function idOf(said: string | undefined): string {
  const id = said?.trim() ?? ''
  return id.length > XMLTV_LIMITS.id ? '' : id
}
