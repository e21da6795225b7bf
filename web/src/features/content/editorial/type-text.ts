import type { TFunction } from 'i18next'

/** Returns the plural name of a text type; an unknown type keeps its own name. */
export function typeText(type: string, t: TFunction): string {
  switch (type) {
    case 'articles':
      return t('editorialType.articles')
    case 'making-of':
      return t('editorialType.makingOf')
    case 'interview':
      return t('editorialType.interview')
    case 'festival':
      return t('editorialType.festival')
    case 'lifestyle':
      return t('editorialType.lifestyle')
    case 'disciplines':
      return t('editorialType.disciplines')
    case 'page':
      return t('editorialType.page')
    default:
      return type.replaceAll('-', ' ').replace(/^./u, (first) => first.toLocaleUpperCase())
  }
}

/** Returns the name of a single text of a type, for its card. */
export function kindText(type: string, t: TFunction): string {
  switch (type) {
    case 'articles':
      return t('editorialType.articleKind')
    case 'making-of':
      return t('editorialType.makingOfKind')
    case 'interview':
      return t('editorialType.interviewKind')
    case 'disciplines':
      return t('editorialType.disciplineKind')
    case 'page':
      return t('editorialType.pageKind')
    default:
      return typeText(type, t)
  }
}
