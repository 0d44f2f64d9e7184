/** Heads of columns of numbers, which stand above their last digits. */
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
