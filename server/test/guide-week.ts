/**
 * A programme of a guide: title, start and end in hours from the beginning, and further content of its XMLTV
 * element.
 */
export type Announced = [title: string, from: number, to: number, inside?: string]

/** A programme of the simulated week. Hours count from the beginning. */
export interface WeekProgramme {
  title: string
  from: number
  length: number
  /** Whether the guide shows another programme instead. */
  isDropped: boolean
  /** Whether the news interrupt the programme. */
  isSplit: boolean
}

/** Share of its slot that a programme fills before the guide changes. */
const FILLED = 0.75

/**
 * A week's guide of some channels that changes: programmes move, become longer, are split, or are dropped and later
 * appear again. Every third programme of a channel is an episode of a series, and all others are films. The changes
 * are pseudo-random, but always the same.
 */
export class GuideWeek {
  readonly channels: ReadonlyMap<string, WeekProgramme[]>
  readonly #slotHours: number
  #seed = 42

  /** @param slotHours hours between the beginnings of two programmes, before the guide changes */
  constructor(names: readonly string[], { perDay, slotHours }: { perDay: number; slotHours: number }) {
    this.#slotHours = slotHours
    this.channels = new Map(
      names.map((name) => [
        name,
        Array.from({ length: 7 * perDay }, (_, index) => ({
          title: index % 3 === 0 ? `Série ${name}` : `Film ${name} ${index}`,
          from: 1 + Math.floor(index / perDay) * 24 + (index % perDay) * slotHours,
          length: FILLED * slotHours,
          isDropped: false,
          isSplit: false,
        })),
      ]),
    )
  }

  /** Returns the guide of a channel. */
  announced(name: string): Announced[] {
    return (this.channels.get(name) ?? []).flatMap(({ title, from, length, isDropped, isSplit }) => {
      const to = from + length
      if (isDropped) return [['Spéciale', from, to] satisfies Announced]
      if (!isSplit) return [[title, from, to] satisfies Announced]
      const [pause, resume] = [from + length * 0.4, from + length * 0.6]
      return [
        [title, from, pause],
        ['Flash', pause, resume],
        [title, resume, to],
      ] satisfies Announced[]
    })
  }

  /**
   * Changes a programme that begins after `hour`. @returns the name of its channel; undefined if all programmes
   * have begun
   */
  change(hour: number): string | undefined {
    const names = [...this.channels.keys()]
    const name = names[this.#random(names.length)] ?? ''
    const programmes = this.channels.get(name) ?? []
    const first = programmes.findIndex(({ from }) => from > hour)
    if (first < 0) return undefined
    const index = first + this.#random(programmes.length - first)
    const programme = programmes[index]
    if (!programme) return undefined
    const kind = this.#random(4)
    const step = (this.#random(5) * this.#slotHours) / 20
    if (kind === 0) programme.isDropped = !programme.isDropped
    else if (kind === 1) programme.length = FILLED * this.#slotHours + step
    else if (kind === 2) programme.isSplit = !programme.isSplit && index % 3 > 0
    else programme.from += step
    // Limits the move, so that the programme does not overtake the next one.
    const next = programmes[index + 1]
    const end = next?.from ?? Number.POSITIVE_INFINITY
    if (programme.from > end - this.#slotHours / 4) programme.from = end - this.#slotHours / 4
    programme.length = Math.min(programme.length, end - programme.from)
    return name
  }

  #random(below: number): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648
    // Drops the low bits, because this generator repeats them soon.
    return Math.floor(this.#seed / 65_536) % below
  }
}
