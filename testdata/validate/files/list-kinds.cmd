files --list-kinds
