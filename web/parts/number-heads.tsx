/** Column heads for numbers, right-aligned. */
export function NumberHeads({ names }: { names: readonly string[] }) {
  return (
    <>
      {names.map((name) => (
        <th key={name} scope="col" class="number">
          {name}
        </th>
      ))}
    </>
  );
}
