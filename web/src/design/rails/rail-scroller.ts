import { followSize } from '../page/follow-size.ts'
import {
  glideShare,
  hasControls,
  nextPage,
  pageStarts,
  previousPage,
  type RailGeometry,
  showCard,
} from './rail-pages.ts'

/** The state of a rail's position that its buttons and dots show. */
export interface RailPlace {
  before: boolean
  after: boolean
  /** Number of pages, and index of the current page, from 0. */
  pages: number
  page: number
}

const NOWHERE: RailPlace = { before: false, after: false, pages: 1, page: 0 }

/**
 * Animates the scrolling of a row of cards, from page to page and from card to card. The browser itself handles
 * touch, the wheel and snapping.
 */
export class RailScroller {
  readonly #view: HTMLElement
  readonly #track: HTMLElement
  readonly #pagination: boolean
  #frame = 0
  #place = NOWHERE

  /** @param pagination whether the rail shows its pages */
  constructor(view: HTMLElement, track: HTMLElement, pagination: boolean) {
    this.#view = view
    this.#track = track
    this.#pagination = pagination
  }

  /** Calls `changed` when the position may have changed. Returns a function that stops the calls. */
  readonly watch = (changed: () => void): (() => void) => {
    const read = () => {
      this.#place = this.#read(this.#place)
      changed()
    }
    const unfollow = followSize([this.#view, this.#track], read)
    this.#view.addEventListener('scroll', read, { passive: true })
    return () => {
      unfollow()
      this.#view.removeEventListener('scroll', read)
      cancelAnimationFrame(this.#frame)
    }
  }

  /** Returns the position. The object stays identical until a value changes. */
  readonly place = (): RailPlace => this.#place

  readonly next = () => this.#glide(nextPage(this.#position, this.#geometry()))
  readonly previous = () => this.#glide(previousPage(this.#position, this.#geometry()))
  readonly showPage = (page: number) => this.#glide(pageStarts(this.#geometry())[page] ?? 0)
  readonly show = (index: number) => this.#glide(showCard(index, this.#position, this.#geometry()))

  #read(last: RailPlace): RailPlace {
    const geometry = this.#geometry()
    const position = this.#position
    const starts = pageStarts(geometry)
    const controls = hasControls(innerWidth, this.#pagination)
    const place: RailPlace = {
      before: controls && position > 2,
      after: controls && position < geometry.end - 2,
      pages: starts.length,
      page:
        position >= geometry.end - 2
          ? starts.length - 1
          : starts.findLastIndex((start) => start <= position + 2),
    }
    const same = (Object.keys(place) as (keyof RailPlace)[]).every((key) => place[key] === last[key])
    return same ? last : place
  }

  /**
   * Scrolled distance in px, from 0. On a right-to-left page, browsers report this distance as a negative number.
   */
  get #position(): number {
    return Math.abs(this.#view.scrollLeft)
  }

  #geometry(): RailGeometry {
    const cards = [...this.#track.children]
    const first = cards[0]?.getBoundingClientRect()
    if (first === undefined) return { starts: [], cardWidth: 0, viewWidth: 0, end: 0 }
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(this.#track)
    const gutters = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
    return {
      starts: cards.map((card) => {
        const { left, right } = card.getBoundingClientRect()
        return this.#rightToLeft ? first.right - right : left - first.left
      }),
      cardWidth: first.width,
      viewWidth: this.#view.clientWidth - gutters,
      end: this.#view.scrollWidth - this.#view.clientWidth,
    }
  }

  get #rightToLeft(): boolean {
    return getComputedStyle(this.#view).direction === 'rtl'
  }

  #glide(target: number) {
    cancelAnimationFrame(this.#frame)
    const from = this.#position
    if (Math.abs(target - from) < 1) return
    const sign = this.#rightToLeft ? -1 : 1
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#view.scrollLeft = sign * target
      return
    }
    const start = performance.now()
    // Disables snapping, which would move each step of the animation back to a card.
    this.#view.style.scrollSnapType = 'none'
    const step = (now: number) => {
      const share = glideShare(now - start)
      this.#view.scrollLeft = sign * (from + (target - from) * share)
      if (share < 1) this.#frame = requestAnimationFrame(step)
      else this.#view.style.scrollSnapType = ''
    }
    this.#frame = requestAnimationFrame(step)
  }
}
