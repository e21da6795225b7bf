/** An interval on the clock of the presentation, in seconds. */
interface Interval {
  start: number
  end: number
}

/** A run of segments of a SegmentTimeline (ISO/IEC 23009-1, 5.3.9.6), in ticks. */
interface Run {
  /** Its `S` element. */
  element: Element
  start: number
  ticks: number
  count: number
}

/** The segments of one SegmentTimeline, and the presentation time of tick 0. */
interface Listed {
  /** The SegmentTemplate or SegmentList with the timeline. */
  holder: Element
  timeline: Element
  runs: Run[]
  timescale: number
  /** Presentation time of tick 0, in seconds. */
  zero: number
}

/**
 * Returns a live DASH manifest, as `rewriteDash` writes it, without the media that is more than `seconds` older
 * than its live edge. Removes older Periods, and older segments of SegmentTimeline and SegmentList.
 * `timeShiftBufferDepth` limits templates that list no segments. Static manifests are returned unchanged.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function shortenDash(body: string, seconds: number, now: number): Promise<string> {
  // Loaded on demand, because few installations relay DASH channels with such programmes.
  const { DOMParser, XMLSerializer } = await import('@xmldom/xmldom')
  const document = new DOMParser().parseFromString(body, 'text/xml')
  const mpd = document.documentElement
  if (mpd.getAttribute('type') !== 'dynamic') return body
  mpd.setAttribute('timeShiftBufferDepth', `PT${Math.round(seconds)}S`)
  const elapsed = (now - Date.parse(mpd.getAttribute('availabilityStartTime') ?? '')) / 1000
  const periods = periodsOf(mpd)
  for (const { element } of periods) for (const list of all(element, 'SegmentList')) nameTimes(list)
  const listed = periods.flatMap(({ element, start, end }) =>
    timelinesOf(element, start, Math.min(end, elapsed)),
  )
  const ends = listed.map(endOf).filter(Number.isFinite)
  const edge = ends.length > 0 ? Math.max(...ends) : elapsed
  const earliest = edge - seconds
  if (!Number.isFinite(earliest)) return new XMLSerializer().serializeToString(document)
  for (const each of listed) dropBefore(each, earliest)
  for (const { element, start, end } of periods) {
    if (end <= earliest) mpd.removeChild(element)
    // Writes the start of each Period. A Period without `start` begins where the previous Period ends, which may
    // be removed.
    else element.setAttribute('start', `PT${start}S`)
  }
  return new XMLSerializer().serializeToString(document)
}

/** Returns the Periods with their intervals (5.3.2.1). The last Period of a live manifest has no end. */
function periodsOf(mpd: Element): ({ element: Element } & Interval)[] {
  const elements = children(mpd, 'Period')
  const found: ({ element: Element } & Interval)[] = []
  for (const element of elements) {
    const before = found.at(-1)
    const start = secondsOf(element, 'start') ?? before?.end ?? 0
    if (before && !(before.end <= start)) before.end = start
    found.push({ element, start, end: start + (secondsOf(element, 'duration') ?? Infinity) })
  }
  return found
}

/** Gives a SegmentList of equally long segments a SegmentTimeline, so that its first segments can be dropped. */
function nameTimes(list: Element): void {
  const addresses = children(list, 'SegmentURL')
  const ticks = Number(inherited(list, 'duration'))
  if (addresses.length === 0 || children(list, 'SegmentTimeline').length > 0 || !(ticks > 0)) return
  const { ownerDocument, namespaceURI } = list
  const timeline = ownerDocument.createElementNS(namespaceURI, 'SegmentTimeline')
  const run = ownerDocument.createElementNS(namespaceURI, 'S')
  run.setAttribute('t', inherited(list, 'presentationTimeOffset') ?? '0')
  run.setAttribute('d', `${ticks}`)
  run.setAttribute('r', `${addresses.length - 1}`)
  timeline.appendChild(run)
  list.insertBefore(timeline, addresses[0] ?? null)
  list.removeAttribute('duration')
}

function timelinesOf(period: Element, start: number, end: number): Listed[] {
  return all(period, 'SegmentTimeline').flatMap((timeline) => {
    const holder = timeline.parentNode as Element
    const timescale = Number(inherited(holder, 'timescale') ?? 1)
    const zero = start - Number(inherited(holder, 'presentationTimeOffset') ?? 0) / timescale
    const runs = runsOf(timeline, (end - zero) * timescale)
    return [{ holder, timeline, runs, timescale, zero }]
  })
}

/** @param until the time at which a run without an end ends, in ticks */
function runsOf(timeline: Element, until: number): Run[] {
  const runs: Run[] = []
  // Players ignore segments without a duration.
  const elements = children(timeline, 'S').filter((each) => numberOf(each, 'd') > 0)
  for (const [index, element] of elements.entries()) {
    const before = runs.at(-1)
    const start = numberOf(element, 't', before ? before.start + before.ticks * before.count : 0)
    const ticks = numberOf(element, 'd')
    const repeats = numberOf(element, 'r')
    const next = elements[index + 1]
    const open = ((next ? numberOf(next, 't', start) : until) - start) / ticks
    runs.push({
      element,
      start,
      ticks,
      count: repeats < 0 ? Math.max(Math.floor(open) || 1, 1) : repeats + 1,
    })
  }
  return runs
}

function endOf({ runs, timescale, zero }: Listed): number {
  const last = runs.at(-1)
  return last ? zero + (last.start + last.ticks * last.count) / timescale : Number.NaN
}

/** Removes the segments that end before a time. */
function dropBefore({ holder, timeline, runs, timescale, zero }: Listed, earliest: number): void {
  const limit = (earliest - zero) * timescale
  let dropped = 0
  for (const { element, start, ticks, count } of runs) {
    const old = Math.min(count, Math.max(0, Math.floor((limit - start) / ticks)))
    dropped += old
    if (old === count) {
      timeline.removeChild(element)
      continue
    }
    element.setAttribute('t', `${start + old * ticks}`)
    // Only a run with a count gets a new count. A run with `r="-1"` continues until the next run begins.
    const repeats = numberOf(element, 'r')
    if (repeats > 0) element.setAttribute('r', `${repeats - old}`)
    break
  }
  if (children(timeline, 'S').length === 0) {
    removeTracks(holder)
    return
  }
  if (dropped === 0) return
  for (const address of children(holder, 'SegmentURL').slice(0, dropped)) holder.removeChild(address)
  // An inner element inherits the timeline, but may have a separate `startNumber`.
  const inner = all(holder.parentNode as Element, holder.localName).filter(
    (each) =>
      each !== holder && each.hasAttribute('startNumber') && all(each, 'SegmentTimeline').length === 0,
  )
  holder.setAttribute('startNumber', inherited(holder, 'startNumber') ?? '1')
  for (const each of [holder, ...inner])
    each.setAttribute('startNumber', `${Number(each.getAttribute('startNumber')) + dropped}`)
}

/** Removes tracks without segments, because an empty SegmentTimeline is not allowed. */
function removeTracks(holder: Element): void {
  const owner = holder.parentNode as Element
  const around = owner.parentNode as Element
  around.removeChild(owner)
  const isEmpty = owner.localName === 'Representation' && children(around, 'Representation').length === 0
  if (isEmpty) around.parentNode?.removeChild(around)
}

/**
 * Returns an attribute of a SegmentTemplate or SegmentList. If the element lacks the attribute, it inherits the
 * attribute from an outer level (5.3.9.1).
 */
function inherited(holder: Element, name: string): string | undefined {
  for (let level: Node | null = holder.parentNode; level && level.nodeType === 1; level = level.parentNode) {
    const own = level === holder.parentNode ? holder : children(level as Element, holder.localName)[0]
    if (own?.hasAttribute(name)) return own.getAttribute(name) ?? undefined
  }
  return undefined
}

/** Returns an attribute as a number; `otherwise` if the attribute is missing or not a number. */
function numberOf(element: Element, name: string, otherwise = 0): number {
  const written = element.getAttribute(name) ?? ''
  return written === '' || Number.isNaN(Number(written)) ? otherwise : Number(written)
}

function children(parent: Element, name: string): Element[] {
  return Array.from(parent.childNodes).filter(
    (each): each is Element => each.nodeType === 1 && (each as Element).localName === name,
  )
}

function all(parent: Element, name: string): Element[] {
  return Array.from(parent.getElementsByTagName(name))
}

const DURATION = /^P(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/

/** Reads a duration without years and months (XML Schema, `xs:duration`), in seconds. */
function secondsOf(element: Element, name: string): number | undefined {
  const found = DURATION.exec(element.getAttribute(name) ?? '')
  if (!found) return undefined
  const [days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ]
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}
