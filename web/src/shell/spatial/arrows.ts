import { OPENS_BY_ARROW } from '../browser/event-replay.ts'
import { type Direction, nearest, type Rectangle } from './nearest.ts'

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Elements that are reachable by keyboard. */
const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]):not([type="hidden"]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex="0"]'

/** Controls that use the arrow keys themselves. A text field uses only the arrows along its line. */
const OWN_ARROWS =
  '[data-own-arrows] *, [role="slider"], [role="menu"] *, [role="listbox"] *, [role="radiogroup"] *, [role="tablist"] *, [role="grid"] *, [role="application"] *, select, textarea, input[type="range"], input[type="radio"], [contenteditable="true"]'

/** Modal dialogs, except those that are closing and accept no input any more. */
const DIALOG = ':is([role="dialog"], [role="alertdialog"]):not([data-exiting] *)'

/** Buttons that only close a dialog or a panel. {@link focusFirst} prefers its content. */
const DISMISS = '[data-dismiss]'

/**
 * The bar, the screen and the footer. The focus leaves a region only when the region has no more elements in
 * the arrow's direction.
 */
const REGION = 'header, main, footer'

/**
 * If a target is further away than this many windows, the page first scrolls towards it, so that the text in
 * between can be read.
 */
const REACH = 1

/**
 * Lets the arrow keys of a keyboard or a remote move over all focusable elements, except where a screen uses the arrow
 * keys itself. Returns a function that ends this.
 * @param isWanted returns whether the screen leaves the arrow keys to this function; the player uses the arrow keys
 * itself
 * @param early arrow keys that were pressed before this code was loaded
 */
export function walkByArrows(isWanted: () => boolean, early: readonly KeyboardEvent[] = []): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionOf(event)
    if (direction === undefined || event.defaultPrevented || !isWanted()) return
    const button = besideText(event.target, direction)
    button?.focus()
    if (button === undefined && (needsArrow(event.target, direction) || !moveFocus(direction))) return
    event.preventDefault()
  }
  // Listens in the capture phase, before the control itself receives the key.
  const onCapture = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element && event.target.matches(OPENS_BY_ARROW))) return
    const direction = directionOf(event)
    if (direction === undefined || !isWanted()) return
    moveFocus(direction)
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', onCapture, { capture: true })
  addEventListener('keydown', onKeyDown)
  for (const press of early) onKeyDown(press)
  return () => {
    removeEventListener('keydown', onCapture, { capture: true })
    removeEventListener('keydown', onKeyDown)
  }
}

/** Returns the direction of an arrow key; undefined for other keys, and for an arrow with a modifier. */
export function directionOf({
  key,
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: KeyboardEvent): Direction | undefined {
  return altKey || ctrlKey || metaKey || shiftKey ? undefined : KEYS[key]
}

/** Moves the focus one step. Returns false when no element is near enough in that direction. */
export function moveFocus(direction: Direction): boolean {
  const here = document.activeElement
  const candidates = reachable(direction).filter((element) => element !== here)
  const element =
    here === null || isPlace(here)
      ? firstInView(insideOf(here, candidates))
      : (nearestOf(
          here,
          candidates.filter((each) => each.closest(REGION) === here.closest(REGION)),
          direction,
          // Columns of options in a panel of the player have different lengths.
        ) ?? nearestOf(here, candidates, direction, here.closest('dialog') !== null))
  if (element === undefined) return false
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: scrolling() })
  return true
}

/**
 * Elements that {@link focusFirst} prefers: a side menu's link to the shown screen, programmes of the guide, and the
 * active profile among others.
 */
const CURRENT = '[aria-current="page"], [role="grid"] *, [role="dialog"] [aria-current="true"]'

/** Focuses the preferred element of the screen or of a dialog, or else its first visible element, if there is one. */
export function focusFirst(place: Element | null = document.querySelector('main')): void {
  const candidates = insideOf(place, reachable('right'))
  const current = candidates.find((element) => element.matches(CURRENT))
  const element = current ?? firstInView(candidates)
  element?.focus({ preventScroll: true })
}

/** Returns the dialog that is open over the page, if any. */
export function topDialog(): Element | null {
  const dialogs = document.querySelectorAll(DIALOG)
  return dialogs.item(dialogs.length - 1)
}

/** Presses the focused element, as the OK button of a remote does. */
export function pressFocused(): void {
  const here = document.activeElement
  if (here instanceof HTMLElement && here !== document.body) here.click()
}

/** Returns whether an element uses all arrow keys itself. */
export function usesArrows(element: Element | null): boolean {
  return element?.matches(OWN_ARROWS) === true
}

function needsArrow(target: EventTarget | null, direction: Direction): boolean {
  if (!(target instanceof Element)) return false
  if (usesArrows(target)) return true
  const isText = target instanceof HTMLInputElement && !['button', 'checkbox', 'submit'].includes(target.type)
  return isText && (direction === 'left' || direction === 'right')
}

/** Matches a text whose first letter is of a left-to-right script. */
const RUNS_RIGHT = /^\P{L}*(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u

/**
 * Returns the button inside the frame of a field, if the caret is at the adjacent end of the text. No other
 * arrow key leads to this button.
 */
function besideText(target: EventTarget | null, direction: Direction): HTMLElement | undefined {
  if (!(target instanceof HTMLInputElement)) return undefined
  const isMirrored = getComputedStyle(target).direction === 'rtl'
  if (direction !== (isMirrored ? 'left' : 'right')) return undefined
  const { value, type, selectionStart, selectionEnd } = target
  // On a right-to-left page, a typed text keeps its own direction, so the button is beside the start of a
  // Latin text. Password dots have no direction.
  const end = isMirrored && type !== 'password' && RUNS_RIGHT.test(value) ? 0 : value.length
  if (selectionStart !== end || selectionEnd !== end) return undefined
  const inFrame = reachable(direction).filter(
    (each) => each !== target && target.parentElement?.contains(each) === true,
  )
  return nearestOf(target, inFrame, direction)
}

/**
 * Returns the reachable elements: only the elements of an open dialog or panel if there is one, and without hidden or
 * inert elements.
 */
function reachable(direction: Direction): HTMLElement[] {
  const scope = topDialog() ?? document.activeElement?.closest('dialog') ?? document
  return [...scope.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) =>
      element.tabIndex >= 0 && isShown(element) && isInReach(element.getBoundingClientRect(), direction),
  )
}

/** Returns whether an element is visible. */
export function isVisible(element: Element): boolean {
  return shownBy(element).checkVisibility({ visibilityProperty: true, opacityProperty: true })
}

/** Returns the element that shows another one: radio buttons may be transparent, and their label has the ring. */
function shownBy(element: Element): Element {
  return (element.matches('input[type="radio"]') ? element.closest('label') : null) ?? element
}

function isShown(element: HTMLElement): boolean {
  return isVisible(element) && element.closest('[inert], [aria-hidden="true"]') === null
}

/** Returns whether an element only holds others: the page, the screen, a dialog or a panel. */
export function isPlace(element: Element): boolean {
  return element.matches('body, main, dialog, [role="dialog"], [role="alertdialog"]')
}

/** Returns the candidates inside of an element; all of them if there are none. */
function insideOf(element: Element | null, candidates: readonly HTMLElement[]): readonly HTMLElement[] {
  const inside = candidates.filter((each) => element?.contains(each))
  return inside.length > 0 ? inside : candidates
}

function isInReach({ top, bottom }: Rectangle, direction: Direction): boolean {
  if (direction === 'up') return bottom > -REACH * innerHeight
  if (direction === 'down') return top < (1 + REACH) * innerHeight
  return bottom > 0 && top < innerHeight
}

/**
 * Returns the target of the first arrow: the first fully visible element of the screen or of the open dialog, else the
 * first partly visible one.
 */
function firstInView(candidates: readonly HTMLElement[]): HTMLElement | undefined {
  const screen = topDialog() ?? document.querySelector('main')
  const whole = candidates.find((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return (
      top >= 0 &&
      bottom <= innerHeight &&
      left >= 0 &&
      right <= innerWidth &&
      screen?.contains(element) === true &&
      !element.matches(DISMISS)
    )
  })
  return whole ?? candidates.find((element) => isSeen(element.getBoundingClientRect()))
}

function isSeen({ top, bottom }: Rectangle): boolean {
  return bottom > 0 && top < innerHeight
}

function nearestOf(
  here: Element,
  candidates: readonly HTMLElement[],
  direction: Direction,
  anyLine = false,
): HTMLElement | undefined {
  const boxes = candidates.map((element) => shownBy(element).getBoundingClientRect())
  return candidates[nearest(shownBy(here).getBoundingClientRect(), boxes, direction, anyLine)]
}

/** Returns how the page scrolls: at once if the viewer wants no motion. */
export function scrolling(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
}
