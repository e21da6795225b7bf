import { Asset, HeadContent, useRouter, useTags } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { ReactNode } from 'react'
import { sharedText } from '../api/page-parts.ts'

/** The head tags of the routes and the build. */
export function HeadTags() {
  return drawn()
}

const drawn = createIsomorphicFn()
  .server((): ReactNode => <ServerTags />)
  .client((): ReactNode => <HeadContent />)

/**
 * The server's replacement of the router's component, which keys every tag by its whole text; the text of the styles is half of the page.
 * The attribute is the one by which the router finds the tags in the browser.
 */
function ServerTags() {
  const { options, stores } = useRouter()
  const { context } = options
  // A page has the styles of its matched routes.
  const screens = stores.matches
    .get()
    .map(({ routeId }) => routeId)
    .join(' ')
  return useTags().map((tag, index) => {
    const key = `${tag.tag} ${index}`
    if (tag.tag !== 'style' || tag.inlineCss !== true || tag.children === undefined)
      return <Asset {...tag} key={key} />
    const styles = context.parts?.insert(sharedText(screens, tag.children)) ?? tag.children
    return (
      <style {...tag.attrs} key={key} data-tsr-inline-css="" dangerouslySetInnerHTML={{ __html: styles }} />
    )
  })
}
