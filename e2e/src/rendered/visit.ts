import { type BoundFunctions, getQueriesForElement, type queries } from '@testing-library/dom'
import { Window } from 'happy-dom'
import { sharedService } from '../shared-service.ts'
import { cookiesOf, type Viewer } from './viewers.ts'

/** The reader of a page. By default, the reader is not signed in, and has chosen no language. */
export interface Visit {
  language?: string
  viewer?: Viewer
}

/** Queries for a part of a page by roles, names and texts. */
export type Part = BoundFunctions<typeof queries>

/** A server-rendered page, without scripts and styles. Ordinary spaces replace its no-break spaces. */
export interface RenderedPage extends Part {
  status: number
  /** Path and query after redirects. */
  address: string
  title: string
  /** Text of the level 1 heading, or the alternative text of its picture. */
  heading: string
  /**
   * The screen without the parts around it. The getter throws an error if the page has no `main` element. `bar`
   * and `footer` throw likewise.
   */
  readonly main: Part
  /** The bar at the top. */
  readonly bar: Part
  readonly footer: Part
  document: Document
  /** The HTML of the page, as the service has sent it. */
  html: string
}

const parser = new new Window({ settings: { disableCSSFileLoading: true } }).DOMParser()

/** Requests a page of the shared service, and follows its redirects. */
export async function visit(address: string, { language, viewer }: Visit = {}): Promise<RenderedPage> {
  const cookies = [
    ...(language === undefined ? [] : [`language=${language}`]),
    ...(viewer === undefined ? [] : [await cookiesOf(viewer)]),
  ]
  const response = await fetch(new URL(address, sharedService().origin), {
    headers: { cookie: cookies.join('; ') },
  })
  const html = await response.text()
  const document = parse(html)
  const heading = document.querySelector('h1')
  const { pathname, search } = new URL(response.url)
  const part = (name: string) => {
    // Ignores headers and footers within `main`, such as those of articles and lists.
    const found = [...document.querySelectorAll<HTMLElement>(name)].find(
      (element) => name === 'main' || element.closest('main') === null,
    )
    if (found === undefined) throw new Error(`${pathname} has no ${name}.`)
    return getQueriesForElement(found)
  }
  return {
    ...getQueriesForElement(document.body),
    status: response.status,
    address: pathname + search,
    title: document.title,
    heading: heading === null ? '' : textOf(heading) || (heading.querySelector('img')?.alt ?? ''),
    get main() {
      return part('main')
    },
    get bar() {
      return part('header')
    },
    get footer() {
      return part('footer')
    },
    document,
    html,
  }
}

/** Returns the text of an element, with single spaces. */
export function textOf(element: Element): string {
  return element.textContent.replaceAll(/\s+/g, ' ').trim()
}

/** Returns the addresses of links. */
export function addressesOf(links: Iterable<Element>): string[] {
  return [...links].map((link) => link.getAttribute('href') ?? '')
}

function parse(html: string): Document {
  // Removes the style sheets. The queries compute styles to find a role, which would take most of the time.
  const plain = html.replaceAll(/<style[^]*?<\/style>/g, '').replaceAll(/[\u00A0\u202F]/g, ' ')
  // happy-dom declares its own types of the same interfaces.
  return parser.parseFromString(plain, 'text/html') as unknown as Document
}
