import { OPENS_BY_ARROW } from '../browser/event-replay.ts'
import { type Direction, nearest, type Rectangle } from './nearest.ts'

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** Elements that a keyboard can reach. */
const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]):not([type="hidden"]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex="0"]'

/** Controls that use the arrow keys themselves. A text field uses only the left and right arrows. */
const OWN_ARROWS =
  '[data-own-arrows] *, [role="slider"], [role="menu"] *, [role="listbox"] *, [role="radiogroup"] *, [role="tablist"] *, [role="grid"] *, [role="application"] *, select, textarea, input[type="range"], input[type="radio"], [contenteditable="true"]'

/** Modal dialogs. A dialog that is closing does not count, because it accepts no input. */
const DIALOG = ':is([role="dialog"], [role="alertdialog"]):not([data-exiting] *)'

/** Buttons that only close a dialog or a panel. {@link focusFirst} prefers the content of the dialog. */
const DISMISS = '[data-dismiss]'

/**
 * Regions of a page: the bar, the screen, the footer and the toasts. The focus leaves a region only if the region has
 * no more elements in the arrow's direction.
 */
const REGION = 'header, main, footer, [aria-live]:not(main *)'

/**
 * The action of a toast. The down arrow leads to it from every element of the screen, because on a long list the toast
 * would close before the focus reached the end of the list.
 */
const TOAST_ACTION = '[data-toast-action]'

/** The screen of a page. The player is not one, because its controls use the arrows. */
const SCREEN = 'main:not([data-cinema])'

/** Actions of toasts to which the down arrow has led. It leads there once, so that the list behind stays in reach. */
const visited = new WeakSet<Element>()

/**
 * Greatest distance of a target, in window heights. Towards a more distant target, the page first only scrolls, so
 * that viewers can read the text in between.
 */
const REACH = 1

/**
 * Lets the arrow keys of a keyboard or a remote move the focus over all focusable elements. Returns a function that
 * ends the handling of arrow keys.
 * @param isWanted returns false while the screen uses the arrow keys itself, as the player does
 * @param early arrow keys that were pressed before this code had loaded
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
  // Listens in the capture phase, because the focused control must not receive the key first.
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

/** Returns the direction of an arrow key; undefined for any other key, and for an arrow key with a modifier. */
export function directionOf({
  key,
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: KeyboardEvent): Direction | undefined {
  return altKey || ctrlKey || metaKey || shiftKey ? undefined : KEYS[key]
}

/** Moves the focus one step. Returns false if there is no element close enough in that direction. */
export function moveFocus(direction: Direction): boolean {
  const here = document.activeElement
  const candidates = reachable(direction).filter((element) => element !== here)
  const action =
    direction === 'down' && here?.closest(SCREEN) != null
      ? candidates.find((element) => element.matches(TOAST_ACTION) && !visited.has(element))
      : undefined
  const element =
    action ??
    (here === null || isPlace(here)
      ? firstInView(insideOf(here, candidates))
      : (nearestOf(
          here,
          candidates.filter((each) => each.closest(REGION) === here.closest(REGION)),
          direction,
          // In a panel of the player, columns of options have different lengths, so options at any height count.
        ) ?? nearestOf(here, candidates, direction, here.closest('dialog') !== null)))
  if (element === undefined) return false
  if (action !== undefined) visited.add(action)
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: scrolling() })
  return true
}

/**
 * Elements that {@link focusFirst} prefers: the current link of a side menu, the programmes of the guide, and the
 * active profile in the profile chooser.
 */
const CURRENT = '[aria-current="page"], [role="grid"] *, [role="dialog"] [aria-current="true"]'

/** Focuses the preferred element of a screen or a dialog, or else its first visible element. */
export function focusFirst(place: Element | null = document.querySelector('main')): void {
  const candidates = insideOf(place, reachable('right'))
  const current = candidates.find((element) => element.matches(CURRENT))
  const element = current ?? firstInView(candidates)
  element?.focus({ preventScroll: true })
}

/** Returns the topmost open dialog, if any. */
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

/** Matches a text whose first letter belongs to a left-to-right script. */
const RUNS_RIGHT = /^\P{L}*(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u

/**
 * Returns the button inside the frame of a text field, if the caret is at the end of the text beside the button.
 * Only this arrow key leads to the button.
 */
function besideText(target: EventTarget | null, direction: Direction): HTMLElement | undefined {
  if (!(target instanceof HTMLInputElement)) return undefined
  const isMirrored = getComputedStyle(target).direction === 'rtl'
  if (direction !== (isMirrored ? 'left' : 'right')) return undefined
  const { value, type, selectionStart, selectionEnd } = target
  // On a right-to-left page, the button is on the left. A Latin text runs to the right, so its start is beside the
  // button. Password dots have no direction.
  const end = isMirrored && type !== 'password' && RUNS_RIGHT.test(value) ? 0 : value.length
  if (selectionStart !== end || selectionEnd !== end) return undefined
  const inFrame = reachable(direction).filter(
    (each) => each !== target && target.parentElement?.contains(each) === true,
  )
  return nearestOf(target, inFrame, direction)
}

/**
 * Returns the elements to which the focus can move: all elements that are neither hidden nor inert. If a dialog or
 * panel is open, only those inside it.
 */
function reachable(direction: Direction): HTMLElement[] {
  const scope = topDialog() ?? document.activeElement?.closest('dialog') ?? document
  return [...scope.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) =>
      element.tabIndex >= 0 && isShown(element) && isInReach(element.getBoundingClientRect(), direction),
  )
}

/** Returns whether an element is visible. An open panel counts as visible while it is still fading in. */
export function isVisible(element: Element): boolean {
  const isInPanel = element.closest('dialog[open]') !== null
  return shownBy(element).checkVisibility({ visibilityProperty: true, opacityProperty: !isInPanel })
}

/**
 * Returns the element that a viewer sees for a focusable element. A radio button may be transparent, and its label
 * then shows the focus ring.
 */
function shownBy(element: Element): Element {
  return (element.matches('input[type="radio"]') ? element.closest('label') : null) ?? element
}

function isShown(element: HTMLElement): boolean {
  return isVisible(element) && element.closest('[inert], [aria-hidden="true"]') === null
}

/** Returns whether an element is only a container: the page, the screen, a dialog or a panel. */
export function isPlace(element: Element): boolean {
  return element.matches('body, main, dialog, [role="dialog"], [role="alertdialog"]')
}

/** Returns the candidates inside of an element. If there are none, returns all candidates. */
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
 * Returns the target of the first arrow key: the first fully visible element of the open dialog or of the screen,
 * or else the first partly visible element.
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

/** Returns the scroll behaviour: without animation if the viewer prefers reduced motion. */
export function scrolling(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
}
