export const rail = {
  previous: 'Précédents : {{title}}',
  next: 'Suivants : {{title}}',
  all: 'Tout voir',
}
